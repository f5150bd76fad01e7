//! What becomes of well and badly written files. The faults are those that collections of skills really have.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> SkillFile {
    SkillFile::read(text)
}

/// The lines and codes of what was found.
fn faults(text: &str) -> Vec<(Option<u32>, ErrorCode)> {
    read(text)
        .findings
        .iter()
        .map(|finding| (finding.line, finding.code))
        .collect()
}

fn description(text: &str) -> String {
    read(text).front_matter.description.unwrap_or_default()
}

#[test]
fn a_well_written_file_has_all_of_its_fields_and_no_finding() {
    let file = read(
        "---\nname: pdf-tools\ndescription: Read PDF files.\nlicense: MIT\ncompatibility: needs python\nmetadata:\n  author: me\n  \
         version: 1.10\nallowed-tools: Bash(git add:*) Read\nwhen_to_use: For every PDF.\npaths: \"src/**/*.{ts,tsx}, docs/\"\n\
         context: fork\nmodel: opus\neffort: high\nargument-hint: [file, page]\narguments: file page\n\
         disable-model-invocation: yes\nuser-invocable: false\nversion: 1.10\ndate: 2024-01-01\n---\n\n# Body\n",
    );
    assert_eq!(file.findings, []);
    let fields = file.front_matter;
    assert_eq!(fields.name.as_deref(), Some("pdf-tools"));
    assert_eq!(fields.allowed_tools.unwrap(), ["Bash(git add:*)", "Read"]);
    assert_eq!(fields.paths.unwrap(), ["src/**/*.{ts,tsx}", "docs/"]);
    assert_eq!(fields.arguments.unwrap(), ["file", "page"]);
    assert_eq!(fields.argument_hint.unwrap(), "[file, page]");
    assert_eq!(
        (fields.disable_model_invocation, fields.user_invocable),
        (Some(true), Some(false))
    );
    assert_eq!(fields.metadata.unwrap()["version"], "1.10");
    assert_eq!(
        (&fields.extra["version"], &fields.extra["date"]),
        (&"1.10".into(), &"2024-01-01".into())
    );
    assert_eq!(file.body, "# Body\n");
}

#[test]
fn an_unquoted_colon_costs_one_warning_and_no_text() {
    let text =
        "---\nname: a\ndescription: Does a thing. Use when: you need it\nallowed-tools: Read\n---\nB\n";
    let file = read(text);
    assert_eq!(
        file.front_matter.description.as_deref(),
        Some("Does a thing. Use when: you need it")
    );
    assert_eq!(file.front_matter.allowed_tools.as_deref().unwrap(), ["Read"]);
    assert_eq!(faults(text), [(Some(3), ErrorCode::InvalidFrontMatter)]);
    assert_eq!(file.findings[0].severity, Severity::Warning);
    assert!(file.findings[0].message.contains("`description`"));
}

#[test]
fn a_long_text_with_a_colon_goes_on_over_its_lines() {
    let text = "---\nname: a\ndescription: Use when: one\n  two: three\n  four\nlicense: MIT\n---\nB";
    assert_eq!(description(text), "Use when: one two: three four");
    assert_eq!(read(text).front_matter.license.as_deref(), Some("MIT"));
}

#[test]
fn block_scalars_are_folded_and_kept_as_yaml_says() {
    assert_eq!(
        description("---\ndescription: >-\n  one\n  two\n---\n"),
        "one two"
    );
    assert_eq!(
        description("---\ndescription: |\n  one\n  two\n---\n"),
        "one\ntwo"
    );
    assert_eq!(description("---\ndescription: \"a: b # c\"\n---\n"), "a: b # c");
}

#[test]
fn three_dashes_inside_a_value_are_part_of_it() {
    assert_eq!(description("---\ndescription: a --- b\n---\nB"), "a --- b");
    assert_eq!(
        description("---\ndescription: |\n  a\n  ---\n  b\n---\nB"),
        "a\n---\nb"
    );
    assert_eq!(
        read("---\ndescription: a\n---\none\n---\ntwo\n").body,
        "one\n---\ntwo\n"
    );
}

#[test]
fn a_byte_order_mark_and_every_kind_of_line_end_read_alike() {
    let text = "---\nname: a\ndescription: >-\n  one\n  two\n---\n\n# Body\nline";
    let plain = format!("{:?}", read(text));
    for other in [
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
    ] {
        assert_eq!(format!("{:?}", read(&other)), plain);
    }
    assert_eq!(read("---\ndescription: a\n---").body, "");
}

#[test]
fn the_last_of_two_equal_keys_counts_and_is_reported() {
    let text = "---\nname: a\ndescription: one\ndescription: two\n---\n";
    assert_eq!(description(text), "two");
    assert_eq!(faults(text), [(Some(4), ErrorCode::InvalidFrontMatter)]);
}

#[test]
fn a_bad_field_is_passed_over_and_the_others_stand() {
    let text = "---\nname: a\ndescription: one\npaths: [a, b\nmetadata: *x\ncontext: sideways\nuser-invocable: perhaps\nmodel: [a]\n---\n";
    let file = read(text);
    assert_eq!(file.front_matter.description.as_deref(), Some("one"));
    assert_eq!(file.front_matter.paths, None);
    assert_eq!(file.findings.len(), 5, "{:?}", file.findings);
    assert!(
        file.findings
            .iter()
            .all(|finding| finding.severity == Severity::Error)
    );
}

#[test]
fn a_comment_that_cuts_a_text_short_is_reported() {
    let text = "---\ndescription: Fixes issue #12 and # others\n---\n";
    assert_eq!(description(text), "Fixes issue");
    assert_eq!(faults(text), [(Some(2), ErrorCode::InvalidFrontMatter)]);
    assert_eq!(faults("---\n# a comment\ndescription: a\n---\n"), []);
}

#[test]
fn a_field_in_another_style_is_known_and_reported() {
    let file = read("---\ndescription: a\nallowedTools: [Read, Write]\n---\n");
    assert_eq!(file.front_matter.allowed_tools.unwrap(), ["Read", "Write"]);
    assert_eq!(file.findings[0].line, Some(3));
}

#[test]
fn a_file_without_front_matter_or_without_its_end_says_so() {
    assert_eq!(
        faults("# Only a body\n"),
        [(Some(1), ErrorCode::InvalidFrontMatter)]
    );
    assert_eq!(faults(""), [(Some(1), ErrorCode::InvalidFrontMatter)]);
    let file = read("---\nname: a\ndescription: b\n\n# Body\n");
    assert_eq!(file.front_matter.description.as_deref(), Some("b"));
    assert_eq!(file.body, "# Body\n");
    assert_eq!(file.findings[0].line, Some(1));
}

#[test]
fn a_hint_in_brackets_is_read_as_it_stands() {
    let hint = |value: &str| {
        read(&format!("---\ndescription: a\nargument-hint: {value}\n---\n"))
            .front_matter
            .argument_hint
    };
    assert_eq!(hint("[file]").unwrap(), "[file]");
    assert_eq!(hint("[file] [page]").unwrap(), "[file] [page]");
    assert_eq!(hint("\"<file>\"").unwrap(), "<file>");
}

#[test]
fn an_alias_is_not_followed() {
    let text = "---\ndescription: a\nx: &x [1, 2]\ny: [*x, *x]\n---\n";
    let file = read(text);
    assert_eq!(file.front_matter.description.as_deref(), Some("a"));
    assert!(!file.front_matter.extra.contains_key("y"));
}

#[test]
fn what_is_too_much_is_bounded_and_said() {
    let comments = "# a comment\n".repeat(500);
    assert_eq!(
        faults(&format!("---\nname: a\n{comments}description: b\n---\n")),
        []
    );
    let twice = "name: a\n".repeat(200);
    assert_eq!(faults(&format!("---\n{twice}description: b\n---\n")).len(), 51);
    let long = format!("---\ndescription: b\n{}---\nBody", "x: y\n".repeat(20_000));
    assert_eq!(
        (description(&long), read(&long).body.as_str()),
        (String::new(), "Body")
    );
    assert_eq!(faults(&long), [(Some(1), ErrorCode::InvalidFrontMatter)]);
}

#[test]
fn the_specification_is_kept_to_the_letter() {
    let faults = |text: &str, folder: &str| -> Vec<String> {
        let findings = specification::check(text, &read(text), folder);
        findings
            .into_iter()
            .filter(|f| f.severity == Severity::Error)
            .map(|f| f.message)
            .collect()
    };
    assert_eq!(faults("---\nname: pdf\ndescription: a\n---\n", "pdf"), [""; 0]);
    assert_eq!(
        faults("---\nname: 工具-1\ndescription: a\n---\n", "工具-1"),
        [""; 0]
    );
    for (text, folder) in [
        ("---\nname: pdf\ndescription: a\n---\n", "other"),
        ("---\nname: PDF\ndescription: a\n---\n", "PDF"),
        ("---\nname: -pdf\ndescription: a\n---\n", "-pdf"),
        ("---\nname: a--b\ndescription: a\n---\n", "a--b"),
        ("---\nname: a_b\ndescription: a\n---\n", "a_b"),
        ("---\ndescription: a\n---\n", "pdf"),
        ("---\nname: pdf\n---\n", "pdf"),
        ("---\nname: pdf\ndescription:\n---\n", "pdf"),
        ("---\nname: pdf\ndescription: a\npaths: b\n---\n", "pdf"),
        (
            "---\nname: pdf\ndescription: a\nallowed-tools: [Read]\n---\n",
            "pdf",
        ),
        (
            "---\nname: pdf\ndescription: a\nmetadata:\n  a: [b]\n---\n",
            "pdf",
        ),
        ("---\nname: pdf\ndescription: a: b\n---\n", "pdf"),
        ("\u{feff}---\nname: pdf\ndescription: a\n---\n", "pdf"),
        (
            "---\nname: pdf\ndescription: a\ncompatibility: \"\"\n---\n",
            "pdf",
        ),
    ] {
        assert_eq!(
            faults(text, folder).len(),
            1,
            "{text}: {:?}",
            faults(text, folder)
        );
    }
    let long = format!(
        "---\nname: {}\ndescription: {}\n---\n",
        "a".repeat(65),
        "b".repeat(1_025)
    );
    assert_eq!(faults(&long, &"a".repeat(65)).len(), 2);
}

proptest! {
    #[test]
    fn no_text_stops_the_reader_and_every_line_it_names_is_there(text in "(---\n)?([a-z]{1,3}: ?[\\PC\n]{0,20}\n|[\\PC\n\t]{0,30}\n){0,6}(---\n)?\\PC{0,10}") {
        let file = read(&text);
        let lines = text.replace('\r', "\n").split('\n').count();
        for finding in &file.findings {
            prop_assert!(finding.line.is_none_or(|line| line as usize <= lines + 1), "{:?} of {:?}", finding, text);
        }
    }

    #[test]
    fn a_quoted_text_comes_back_as_it_was(text in "[a-zA-Z0-9 :#\\-\\[\\]{}'*&!|>%@`工]{1,40}") {
        let quoted = format!("---\nname: a\ndescription: {}\n---\nB", serde_json::Value::from(text.as_str()));
        prop_assert_eq!(description(&quoted), text.trim());
    }
}
