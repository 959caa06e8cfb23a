// Menu of the signed-in person, with sign-in and sign-out; a local machine needs no sign-in.
import { ActionIcon, Button, Menu } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { accountQuery } from "@/api/account";
import { chooseOrganisation } from "@/api/organisation";
import { closeSession, sessionQuery } from "@/api/queries";
import { IconPerson } from "@/ui/icons";

export function AccountMenu() {
  const session = useQuery({ ...sessionQuery(), retry: false });
  const queries = useQueryClient();
  const navigate = useNavigate();
  // As wide as the menu, which is there when the session is known.
  if (session.data === undefined) return <span style={{ width: 34 }} />;
  const { access, organisation, person, capabilities } = session.data;
  const leave = async () => {
    await closeSession(queries);
    await navigate({ to: "/sign-in" });
  };
  if (access === "token") {
    return (
      <Button variant="subtle" color="gray" size="xs" onClick={() => void leave()} title={organisation.name}>
        Sign out
      </Button>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size="lg"
          aria-label={person === null ? "Account" : `Account: ${person.email}`}
          title={person === null ? "Account" : person.email}
        >
          <IconPerson />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {person === null ? (
          <Menu.Item component={Link} to="/sign-in">
            Sign in
          </Menu.Item>
        ) : (
          <>
            <Menu.Label>{person.email}</Menu.Label>
            <OrganisationSwitch />
            <Menu.Item component={Link} to="/settings">
              Settings
            </Menu.Item>
          </>
        )}
        {capabilities.includes("operate") ? (
          <Menu.Item component={Link} to="/operations">
            Operations
          </Menu.Item>
        ) : null}
        {person === null ? null : <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Lists the organisations of the person; choosing another opens the home page with its data. */
function OrganisationSwitch() {
  const account = useQuery(accountQuery());
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <>
      {(account.data?.organisations ?? []).map(({ id, name, role, is_current }) => (
        <Menu.Item
          key={id}
          aria-current={is_current ? "true" : undefined}
          fw={is_current ? 600 : 400}
          onClick={() => {
            if (!is_current) void chooseOrganisation(queries, id).then(() => navigate({ to: "/" }));
          }}
        >
          {name} <span className="dim">{role}</span>
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}
