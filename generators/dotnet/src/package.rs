//! The whole package: what people wrote, what is generated, and the project file.

use chatstate_codegen::{
    CodegenError, Files, Package, PublicationView, View, ViewSchema, Written, body,
};
use chatstate_schema_model::Ir;
use schemars::JsonSchema;
use serde::Serialize;

use crate::docs::xml;
use crate::events::{EventClassFileView, EventMembersView, EventsView, KnownMembersView};
use crate::file::{DeclarationsView, FileView, ResolverView, declarations, files};
use crate::literal::string;
use crate::names::{Names, namespace};
use crate::pattern::check_patterns;
use crate::types::Values;
use crate::view::{
    CollectionView, EnumerationView, HolderView, ObjectView, ScalarView, UnionView, UnknownView,
};
use crate::written;

/// What people wrote for the language.
pub(crate) const WRITTEN: Written = Written {
    templates: &written::TEMPLATES,
    spellings: &[("string", string), ("xml", xml), ("body", body)],
    skeleton: &written::SKELETON,
};

/// What the templates of the project file and of the page about the package print.
#[derive(JsonSchema, Serialize)]
struct ProjectView<'a> {
    namespace: &'a str,
    #[serde(flatten)]
    publication: PublicationView<'a>,
}

/// The files that no schema changes.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let namespace = &namespace(&package.name);
    let mut all = written::runtime(namespace)?;
    if package.behaviour {
        all.add_all("", written::behaviour(namespace)?)?;
    }
    if written::has_page(package) {
        all.add("README.md", written::README)?;
    }
    Ok(all)
}

/// What the templates print.
pub(crate) fn views(ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
    check_patterns(ir)?;
    let names = Names::new(ir, &package.name)?;
    let project = ProjectView {
        namespace: &names.namespace,
        publication: package.publication.view(description(package)),
    };
    let path = format!("{}.csproj", names.namespace);
    let mut views = vec![View::new(path, "project.csproj", &project)?];
    if !written::has_page(package) {
        views.push(View::new("README.md", "README.md", &project)?);
    }
    views.extend(files(&names)?);
    Ok(views)
}

/// What the templates print of plain declarations: one file.
pub(crate) fn declaration_views(ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
    let names = Names::with_values(ir, &package.name, Values::Plain)?;
    let view = View::new("Types.cs", "declarations.cs", &declarations(&names)?)?;
    Ok(vec![view])
}

/// The schema of that.
pub(crate) fn view_schema() -> ViewSchema {
    ViewSchema::new("dotnet")
        .with::<ProjectView<'_>>("project.csproj")
        .with::<ProjectView<'_>>("README.md")
        .with::<FileView<ObjectView>>("object.cs")
        .with::<FileView<UnknownView>>("unknown.cs")
        .with::<FileView<UnionView>>("union.cs")
        .with::<FileView<HolderView>>("holder.cs")
        .with::<FileView<EnumerationView>>("enumeration.cs")
        .with::<FileView<ScalarView>>("scalar.cs")
        .with::<FileView<CollectionView>>("collection.cs")
        .with::<EventsView>("events.cs")
        .with::<EventMembersView>("event-members.cs")
        .with::<EventClassFileView>("event-class.cs")
        .with::<KnownMembersView>("known-members.cs")
        .with::<ResolverView>("resolver.cs")
        .with::<DeclarationsView>("declarations.cs")
}

fn description(package: &Package) -> &'static str {
    if package.behaviour {
        "Saved chats, sessions and events of agents, as types that keep what they do not know."
    } else {
        "Types of a JSON Schema, which keep what they do not know."
    }
}
