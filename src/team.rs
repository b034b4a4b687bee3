//! Teams of contracts and products: `team` comes in, and who answers for the data goes out.

use crate::document::{Text, items, text};
use crate::yaml::Node;

/// `team`. ODCS before v3.1 and ODPS before v1.0 write it as the list of its members.
#[derive(Clone, Debug, Default)]
pub struct Team {
    /// Name of the team.
    pub name: Option<Text>,
    /// Its members in order.
    pub members: Vec<Member>,
}

impl Team {
    /// Who answers for the data on `today` (`YYYY-MM-DD`): the team's name, else the current
    /// member whose role is owner: the username, else the name.
    pub fn owner(&self, today: &str) -> Option<&str> {
        let member = || {
            let member = self.owning_member(today)?;
            member.username.as_ref().or(member.name.as_ref())
        };
        self.name.as_ref().or_else(member).map(Text::as_str)
    }

    /// The current member whose role is owner.
    pub fn owning_member(&self, today: &str) -> Option<&Member> {
        let is = |text: &Option<Text>, wanted: &dyn Fn(&str) -> bool| {
            text.as_ref().map(|text| wanted(text.as_str()))
        };
        self.members.iter().find(|member| {
            is(&member.role, &|role| role.eq_ignore_ascii_case("owner")) == Some(true)
                && is(&member.date_out, &|date| date < today) != Some(true)
        })
    }
}

/// A member of a team.
#[derive(Clone, Debug)]
pub struct Member {
    /// User name or email.
    pub username: Option<Text>,
    /// Name for people.
    pub name: Option<Text>,
    /// owner, data steward …
    pub role: Option<Text>,
    /// Day the member left, `YYYY-MM-DD`.
    pub date_out: Option<Text>,
}

/// Reads `team`.
pub fn load(node: &Node) -> Team {
    let members = match node.as_sequence() {
        Some(members) => members,
        None => items(node, "members"),
    };
    Team {
        name: text(node, "name"),
        members: members
            .iter()
            .map(|member| Member {
                username: text(member, "username"),
                name: text(member, "name"),
                role: text(member, "role"),
                date_out: text(member, "dateOut"),
            })
            .collect(),
    }
}
