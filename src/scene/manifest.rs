//! The manifest of a plugin: `plugins/NAME/plugin.ron`.

use std::path::Path;

use super::decode::{Decoder, Shape as _, Spanned, record};
use super::problem::Problem;
use super::ron::{self, Document, Kind, shortened};

/// The version of the script interface that this program offers.
pub const API_LEVEL: u32 = 1;

record! {
    /// What a plugin says of itself.
    PluginFile "Plugin" {
        /// its name: small letters, digits and `_`; that of its folder
        name: Spanned<String> = Spanned::default(), required;
        /// its version, such as "1.0.0"
        version: String = String::new(), required;
        /// the version of the script interface it was written for
        api: Spanned<u32> = Spanned::new(API_LEVEL), required;
        /// what it is for, one line
        about: String = String::new(), optional;
        /// who wrote it
        author: String = String::new(), optional;
    }
}

impl PluginFile {
    /// Reads the text of a manifest; `folder` is the name of the plugin's folder, if it lies in one.
    ///
    /// # Errors
    /// All problems with their places.
    pub fn from_text(file: &str, text: &str, folder: Option<&str>) -> Result<Self, Vec<Problem>> {
        Self::from_document(ron::read_text(file, text), folder)
    }

    /// Reads `plugin.ron` in a plugin's folder; `shown` is the name that problems show.
    pub fn read(path: &Path, shown: &str) -> Result<Self, Vec<Problem>> {
        let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        Self::from_document(ron::read_file(path, shown)?, folder)
    }

    fn from_document(document: Document, folder: Option<&str>) -> Result<Self, Vec<Problem>> {
        let mut decoder = Decoder::new(&document.source);
        let plugin = match document.root.kind {
            Kind::Broken => None,
            _ => Self::decode(&document.root, &mut decoder),
        };
        if let Some(plugin) = &plugin {
            plugin.check(folder, &mut decoder);
        }
        let mut problems = document.problems;
        problems.append(&mut decoder.problems);
        problems.truncate(ron::MAX_PROBLEMS + 1);
        match plugin {
            Some(plugin) if problems.is_empty() => Ok(plugin),
            _ => Err(problems),
        }
    }

    fn check(&self, folder: Option<&str>, decoder: &mut Decoder<'_>) {
        let (name, span) = (&self.name.value, self.name.span);
        let well_formed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if span.line > 0 && (name.is_empty() || !name.chars().all(well_formed)) {
            let message = format!("`{}` cannot be the name of a plugin", shortened(name));
            decoder.error(span, "bad-name", message, Some("small letters, digits and `_`".to_owned()));
        } else if let Some(folder) = folder.filter(|&folder| span.line > 0 && folder != name) {
            let message = format!("the plugin is named `{}`, its folder `{}`", shortened(name), shortened(folder));
            decoder.error(span, "bad-name", message, Some("give both the same name".to_owned()));
        }
        if self.api.value != API_LEVEL {
            let newer = self.api.value > API_LEVEL;
            let message = format!(
                "the plugin was written for api level {}; this program offers level {API_LEVEL}",
                self.api.value
            );
            let hint = if newer { "update swarmyard" } else { "update the plugin, then write `api: 1`" };
            decoder.error(self.api.span, "api-level", message, Some(hint.to_owned()));
        }
    }
}
