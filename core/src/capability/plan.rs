//! How much of a search result is shown, and what gives way in which order (contract 1). Knows nothing of the result.

/// The fullest plan that fits, found by halving the list of what gives way; the barest when none does.
pub(super) fn shrink(full: &Plan, fits: impl Fn(&Plan) -> bool) -> Plan {
    let (mut too_much, mut enough) = (0, full.steps());
    while enough - too_much > 1 {
        let middle = too_much + (enough - too_much) / 2;
        if fits(&full.after(middle)) {
            enough = middle;
        } else {
            too_much = middle;
        }
    }
    full.after(enough)
}

/// How much is shown of what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) instructions: usize,
    pub(super) schemas: usize,
    pub(super) descriptions: usize,
    pub(super) tools: usize,
    pub(super) skills: usize,
    pub(super) first_schema: bool,
    /// Server descriptions, pending servers, and the whole hint.
    pub(super) surroundings: bool,
    /// The last hit, and the ids of the hint.
    pub(super) anything: bool,
    pub(super) cut: bool,
    /// A schema that costs more can never be shown, so nothing else gives way for it.
    pub(super) longest_schema: usize,
}

impl Plan {
    pub(super) fn full(tools: usize, skills: usize, budget: usize) -> Self {
        Self {
            instructions: tools,
            schemas: tools,
            descriptions: tools,
            tools,
            skills,
            first_schema: true,
            surroundings: true,
            anything: true,
            cut: false,
            longest_schema: budget,
        }
    }

    /// How many single things can give way.
    fn steps(&self) -> usize {
        self.instructions + self.schemas + self.descriptions + self.tools + self.skills + 3
    }

    /// The plan after so many things have given way, the last of each kind first.
    fn after(&self, steps: usize) -> Self {
        let mut left = steps;
        let mut give = |have: usize, keep: usize| {
            let given = have.saturating_sub(keep).min(left);
            left -= given;
            have - given
        };
        let instructions = give(self.instructions, 0);
        let schemas = give(self.schemas, 1);
        let descriptions = give(self.descriptions, 0);
        let tools = give(self.tools, 1);
        let skills = give(self.skills, 0);
        let first_schema = give(1, 0) == 1;
        let surroundings = give(1, 0) == 1;
        let anything = give(1, 0) == 1;
        Self {
            instructions,
            schemas,
            descriptions,
            tools: if anything { tools } else { 0 },
            skills,
            first_schema,
            surroundings,
            anything,
            cut: schemas < self.schemas || tools < self.tools || skills < self.skills || !first_schema,
            longest_schema: self.longest_schema,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_give_way_one_by_one_until_nothing_is_left() {
        let full = Plan::full(2, 1, 100);
        assert_eq!(full.after(0), full);
        assert_eq!(
            full.after(2),
            Plan {
                instructions: 0,
                ..full.clone()
            }
        );
        assert_eq!(
            full.after(3),
            Plan {
                instructions: 0,
                schemas: 1,
                cut: true,
                ..full.clone()
            }
        );
        let barest = full.after(full.steps());
        assert_eq!(
            (barest.tools, barest.skills, barest.first_schema, barest.anything),
            (0, 0, false, false)
        );
    }

    #[test]
    fn no_more_gives_way_than_has_to() {
        let full = Plan::full(4, 2, 100);
        for most in 0..4 {
            let plan = shrink(&full, |plan| plan.descriptions <= most);
            assert_eq!((plan.schemas, plan.descriptions, plan.tools), (1, most, 4));
        }
    }
}
