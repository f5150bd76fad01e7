//! The typed client: one method per operation over one function that sends it. Knows no operation by name.
//!
//! Python gets the types alone: there an import would pay for every method, and a name says which operation it sends.

use std::collections::BTreeSet;

use crate::NOTICE;
use crate::wire::{Operation, Wire};

/// The languages that get a client.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Language {
    /// `client.ts`
    TypeScript,
    /// `client.pyi`
    Python,
}

impl Language {
    /// The text of the client's file.
    pub(crate) fn client(self, wire: &Wire) -> String {
        let method = match self {
            Self::TypeScript => typescript_method,
            Self::Python => python_method,
        };
        let mut text = match self {
            Self::TypeScript => typescript_head(wire),
            Self::Python => python_head(wire),
        };
        for operation in &wire.operations {
            text.push_str(&method(operation));
        }
        if matches!(self, Self::TypeScript) {
            text.push_str("}\n");
        }
        text
    }
}

fn typescript_head(wire: &Wire) -> String {
    let operations: String = wire
        .operations
        .iter()
        .map(
            |Operation {
                 name,
                 request,
                 response,
                 ..
             }| {
                format!("  \"{name}\": {{ request: wire.{request}; response: wire.{response} }};\n")
            },
        )
        .collect();
    format!(
        r#"// {NOTICE}

import type * as wire from "./types.js";

/** Every operation with its request and its response. */
export interface Operations {{
{operations}}}

/** Sends one operation and returns its parsed answer, or throws what the envelope says. */
export type Send = <Name extends keyof Operations>(
  operation: Name,
  request: Operations[Name]["request"],
) => Operations[Name]["response"];

/** The engine's operations as methods. */
export class EngineClient {{
  constructor(readonly send: Send) {{}}
"#
    )
}

fn typescript_method(operation: &Operation) -> String {
    let Operation {
        name,
        about,
        request,
        response,
    } = operation;
    format!(
        r#"
  /** {about} */
  {name}(request: wire.{request}): wire.{response} {{
    return this.send("{name}", request);
  }}
"#
    )
}

fn python_head(wire: &Wire) -> String {
    let types: BTreeSet<&str> = wire
        .operations
        .iter()
        .flat_map(|operation| [operation.request.as_str(), operation.response.as_str()])
        .collect();
    let types: String = types.into_iter().map(|name| format!("    {name},\n")).collect();
    format!(
        r#"# {NOTICE}
"""The engine's operations as methods, for type checkers: `transport.py` has the class, and none of the names."""

from typing import Any, Protocol

from .types import (
{types})

class Send(Protocol):
    """Sends one operation and returns its parsed answer, or raises what the envelope says."""

    def __call__(self, operation: str, request: object, /) -> Any: ...

class EngineClient:
    """The engine's operations as methods."""

    def __init__(self, send: Send) -> None: ...
"#
    )
}

fn python_method(operation: &Operation) -> String {
    let Operation {
        name,
        about,
        request,
        response,
    } = operation;
    let method = snake_case(name);
    format!(
        r#"
    def {method}(self, request: {request}) -> {response}:
        """{about}"""
"#
    )
}

/// The name of an operation as Python writes it.
pub(crate) fn snake_case(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_named_as_its_language_names_methods() {
        let operation = Operation {
            name: "replaceAll".to_owned(),
            about: "Makes these items the whole catalog.".to_owned(),
            request: "ReplaceAllRequest".to_owned(),
            response: "RegisterResponse".to_owned(),
        };
        let python = python_method(&operation);
        assert!(python.contains("def replace_all(self, request: ReplaceAllRequest) -> RegisterResponse:"));
        assert!(python.contains("Makes these items the whole catalog."));
        let typescript = typescript_method(&operation);
        assert!(typescript.contains("replaceAll(request: wire.ReplaceAllRequest): wire.RegisterResponse {"));
    }
}
