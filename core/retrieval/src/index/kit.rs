//! Documents for tests. Knows nothing of what is tested.

use std::borrow::Cow;

use super::{Document, Field, Hint};

/// Hands out a document with a name and a description.
pub(super) fn with_document<T>(id: &str, description: &str, take: impl FnOnce(&Document<'_>) -> T) -> T {
    let fields = [
        (Field::Name, Cow::Borrowed(id)),
        (Field::Description, Cow::Borrowed(description)),
    ];
    take(&Document {
        id,
        names: &[id],
        group: "server",
        hint: Hint::Neutral,
        fields: &fields,
    })
}
