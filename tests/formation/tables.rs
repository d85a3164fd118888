//! Places against the tables of the reference, computed there with forty digits.

use super::tools::{made, near, near_point, set, with};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// θ, x, y, tangent of the spiral r = 1.0 + 0.15 θ at arc length 0.7.
const SPIRAL_ARC: [(f64, f64, f64, f64); 10] = [
    (0.000000000000, 1.000000000000, 0.000000000000, 1.421906379185),
    (0.660257726588, 0.868058307625, 0.674062866886, 2.095409240021),
    (1.266679085272, 0.356347297594, 1.135394661315, 2.712086485955),
    (1.830562052498, -0.327382262001, 1.231822232470, -2.998973517809),
    (2.359739637249, -0.960783048627, 0.953994850954, -2.462985466845),
    (2.859905090883, -1.372666151688, 0.397225312226, -1.957070434235),
    (3.335349538870, -1.472228449924, -0.288878478239, -1.476688135559),
    (3.789401969239, -1.250662382992, -0.946443056100, -1.018335250290),
    (4.224706312070, -0.765521881053, -1.443250279845, -0.579241747598),
    (4.643403733364, -0.116941395210, -1.692475344073, -0.157172700973),
];

/// θ, x, y of the same spiral at straight distance 0.7.
const SPIRAL_CHORD: [(f64, f64, f64); 10] = [
    (0.000000000000, 1.000000000000, 0.000000000000),
    (0.672793062381, 0.861011277536, 0.686062777760),
    (1.287870125081, 0.333096272047, 1.145742826249),
    (1.858024791266, -0.362250783392, 1.226318706586),
    (2.391908660318, -0.994501446422, 0.925887185106),
    (2.895700441153, -1.391210421826, 0.349153287339),
    (3.373997107471, -1.465608711120, -0.346881837170),
    (3.830329679251, -1.215629849069, -1.000724760607),
    (4.267480724815, -0.705867665690, -1.480456473542),
    (4.687689576768, -0.042062597056, -1.702633949574),
];

/// x, y, tangent of the wave A = 2, λ = 8 at arc length 1.2.
const WAVE: [(f64, f64, f64); 10] = [
    (0.000000000000, 0.000000000000, 1.003884821854),
    (0.665434729695, 0.998323667302, 0.937162510992),
    (1.501593605167, 1.848715561799, 0.539905285239),
    (2.619161348977, 1.768147304024, -0.633252335359),
    (3.419522236249, 0.880552220098, -0.954029429239),
    (4.078021109591, -0.122478588629, -1.003033420711),
    (4.752568485166, -1.114492822821, -0.916698228861),
    (5.630091884066, -1.916187148354, -0.422823247219),
    (6.732804674140, -1.677793268218, 0.707372300699),
    (7.502667459553, -0.761494099733, 0.967846305144),
];

#[test]
fn spiral_at_equal_arc_is_the_table() {
    let slots = made("spiral", &[], 10);
    for (place, (_, x, y, tangent)) in slots.places.iter().zip(SPIRAL_ARC) {
        near_point(place.position, x, y, 1e-9, "place");
        near(place.heading, tangent, 1e-9, "heading");
    }
    near(slots.length, 9.0 * 0.7, 1e-9, "length");
}

#[test]
fn spiral_at_equal_straight_distance_is_the_table() {
    let slots = made("spiral", &with(&[], &[("measure", "chord")]), 10);
    for (place, (_, x, y)) in slots.places.iter().zip(SPIRAL_CHORD) {
        near_point(place.position, x, y, 1e-9, "place");
    }
}

#[test]
fn wave_at_equal_arc_is_the_table() {
    let slots = made("s_wave", &[], 10);
    for (place, (x, y, tangent)) in slots.places.iter().zip(WAVE) {
        near_point(place.position, x, y, 1e-9, "place");
        near(place.heading, tangent, 1e-9, "heading");
    }
}

#[test]
fn one_turn_of_the_spiral_holds_fourteen_and_they_keep_apart() {
    let slots = made("spiral", &[], 20);
    let mut least = f64::INFINITY;
    for (i, a) in slots.places.iter().enumerate() {
        for b in &slots.places[i + 1..] {
            least = least.min(a.position.distance(b.position));
        }
    }
    near(least, 0.686855, 1e-6, "smallest distance");
    // The fourteenth starts within the first turn of 9.293710014191 m (13 · 0.7 = 9.1), the fifteenth beyond it.
    assert!(slots.places[13].position.y < 0.0 && slots.places[14].position.y > 0.0);
}

#[test]
fn one_wave_is_as_long_as_the_elliptic_integral_says() {
    let wave = 11.709563779308;
    let slots = made("s_wave", &set(&[("spacing", wave)]), 4);
    for (i, place) in slots.places.iter().enumerate() {
        near_point(place.position, 8.0 * i as f64, 0.0, 1e-9, "end of a wave");
    }
}

#[test]
fn equal_angles_on_a_spiral_are_not_equal_steps() {
    // The naive step Δθ = d/r0 gives these gaps; the places must not.
    let gaps: Vec<f64> =
        made("spiral", &[], 4).places.windows(2).map(|p| p[0].position.distance(p[1].position)).collect();
    for (gap, naive) in gaps.iter().zip([0.7285, 0.7999, 0.8714]) {
        assert!(*gap <= 0.7 && (gap - naive).abs() > 0.02, "gap {gap} is the naive one");
    }
}

#[test]
fn straight_gap_at_equal_arc_is_as_short_as_the_reference_says() {
    let least = |name: &str| {
        let slots = made(name, &[], 40);
        slots.places.windows(2).map(|p| p[0].position.distance(p[1].position)).fold(f64::INFINITY, f64::min)
    };
    near(least("s_wave"), 1.120468, 5e-3, "wave");
    near(least("spiral"), 0.686855, 1e-6, "spiral");
}

#[test]
fn arc_has_the_capacity_and_steps_of_the_reference() {
    let slots = made("arc", &[], 20);
    near_point(slots.places[1].position, 4.936136416878, 0.796591033071, 1e-9, "second place");
    near(slots.places[0].position.distance(slots.places[1].position), 0.799146939692, 1e-9, "gap");
    near(slots.places[0].heading, FRAC_PI_2, 1e-12, "heading");
    let chord = made("arc", &with(&[], &[("measure", "chord")]), 2);
    let angle = chord.places[1].position.y.atan2(chord.places[1].position.x);
    near(angle, 0.160171160067, 1e-9, "angle of a straight step");
}

#[test]
fn circle_has_the_radii_of_the_reference() {
    let chord = made("circle", &with(&[("spacing", 1.0)], &[("measure", "chord")]), 12);
    near_point(chord.places[0].position, 1.931851652578, 0.0, 1e-9, "straight distance");
    let arc = made("circle", &set(&[("spacing", 1.0)]), 12);
    near_point(arc.places[0].position, 1.909859317103, 0.0, 1e-9, "arc length");
    near(arc.length, 12.0, 1e-9, "length all round");
    assert!(arc.closed);
}

#[test]
fn circle_of_given_radius_spreads_all_round() {
    let gap = |n: usize| {
        let slots = made("circle", &set(&[("radius", 10.0)]), n);
        near(slots.length, TAU * 10.0, 1e-9, "length");
        slots.places[0].position.distance(slots.places[1].position)
    };
    near(gap(12), 5.17638090205, 1e-9, "twelve");
    near(gap(100), 0.628215181563, 1e-9, "a hundred");
}

#[test]
fn v_has_the_step_of_the_reference_and_turns_left_first() {
    let slots = made("v", &[], 5);
    near_point(slots.places[0].position, 0.0, 0.0, 0.0, "tip");
    near_point(slots.places[1].position, -0.688291723621, -0.982982453147, 1e-9, "first rank");
    near_point(slots.places[2].position, 0.688291723621, -0.982982453147, 1e-9, "first rank, other side");
    near_point(slots.places[4].position, 2.0 * 0.688291723621, -2.0 * 0.982982453147, 1e-9, "second rank");
    let wide = made("v", &set(&[("spacing", 5.122499389946), ("half_angle", 51.34019174591 * PI / 180.0)]), 3);
    near_point(wide.places[2].position, 4.0, -3.2, 1e-9, "arm of the text");
}

#[test]
fn grid_centers_its_part_row() {
    let slots = made("grid", &[], 10);
    near_point(slots.places[0].position, -2.25, 1.5, 1e-12, "head");
    near_point(slots.places[8].position, -0.75, -1.5, 1e-12, "last row");
    near_point(slots.places[9].position, 0.75, -1.5, 1e-12, "last row");
}

#[test]
fn straight_formations_lie_and_face_as_the_contract_says() {
    let third = |name: &str| made(name, &[], 3).places[2];
    near_point(third("line").position, 2.4, 0.0, 1e-12, "line");
    near(third("line").heading, 0.0, 0.0, "line");
    near_point(third("row").position, 2.4, 0.0, 1e-12, "row");
    near(third("row").heading, FRAC_PI_2, 0.0, "row");
    near_point(third("column").position, 0.0, -2.4, 1e-12, "column");
    near(third("column").heading, FRAC_PI_2, 0.0, "column");
}
