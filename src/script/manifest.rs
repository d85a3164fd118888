//! `plugins/NAME/plugin.ron`: who a plugin is and which interface it was written for.

use serde::Deserialize;

/// The interface level of this program; a plugin that asks for a higher one is refused.
pub const API_LEVEL: u32 = 1;

/// What a manifest says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename = "Plugin", deny_unknown_fields)]
pub struct Manifest {
    /// The plugin's name, which is its folder's too and its name space.
    pub name: String,
    /// Its version, for people.
    pub version: String,
    /// The interface level it was written for.
    pub api: u32,
    /// One line for lists.
    #[serde(default)]
    pub about: String,
}

/// Why a manifest is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// Line and column from 1, if a place in the text is to blame.
    pub at: Option<(u32, u32)>,
}

/// Reads and checks a manifest of the plugin in `folder`.
///
/// # Errors
/// What is wrong, with the place in the text.
pub fn read(text: &str, folder: &str) -> Result<Manifest, Refusal> {
    let manifest: Manifest = ron::from_str(text).map_err(|error| Refusal {
        message: error.code.to_string(),
        at: Some((error.span.start.line as u32, error.span.start.col as u32)),
    })?;
    let refuse = |message: String| Err(Refusal { message, at: None });
    if manifest.name != folder {
        return refuse(format!("the manifest says name: \"{}\", but the folder is `{folder}`", manifest.name));
    }
    if !super::define::params::is_word(&manifest.name) {
        return refuse(format!("plugin name `{}` must be letters, digits and _", manifest.name));
    }
    if manifest.api > API_LEVEL || manifest.api == 0 {
        return refuse(format!("the plugin asks for api: {}, this program has {API_LEVEL}", manifest.api));
    }
    Ok(manifest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_checked_against_its_folder_and_the_api_level() {
        let good = "Plugin(name: \"tides\", version: \"1.0\", api: 1)";
        assert_eq!(read(good, "tides").map(|manifest| manifest.version), Ok("1.0".to_owned()));
        assert!(read(good, "other").is_err());
        assert!(read("Plugin(name: \"tides\", version: \"1\", api: 9)", "tides").is_err());
        let refusal = read("Plugin(\n  name: \"tides\", colour: 3)", "tides").expect_err("an unknown field");
        assert_eq!(refusal.at.map(|(line, _)| line), Some(2));
    }
}
