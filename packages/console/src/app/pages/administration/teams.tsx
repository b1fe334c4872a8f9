import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api, type Member, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { CheckField, TextArea, TextField } from '../../components/fields.tsx'
import { readLines } from '../../components/json-text.ts'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { listAll } from '../../list-all.ts'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { useQuery } from '../../use-query.ts'
import { keyFor } from '../create-flag.tsx'

type Team = ResponseOf<'listTeams'>['items'][number]

const { teams } = texts

/** The teams of the account, with their members and roles. */
export function TeamsPage() {
  const list = useList('teams', (page) => api.listTeams({ ...page, expand: 'members' }))
  return (
    <>
      <PageTitle title={teams.title}>
        <DialogAction label={teams.create} action="createTeam" resource="team/*" kind="primary">
          {(close) => <CreateForm onClose={close} />}
        </DialogAction>
      </PageTitle>
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={teams.title}
            columns={teams.columns}
            empty={teams.empty}
            rows={items.map((team) => ({
              key: team.key,
              cells: [
                team.name,
                team.members?.totalCount,
                <RolesOfTeam key="roles" team={team}>
                  {(keys) => keys.join(', ')}
                </RolesOfTeam>,
                <TeamActions key="actions" team={team} />,
              ],
            }))}
          />
        )}
      </ListView>
    </>
  )
}

function TeamActions({ team }: { team: Team }) {
  const resource = `team/${team.key}`
  return (
    <div class="row">
      <DialogAction label={teams.changeMembers} action="updateTeamMembers" resource={resource} title={teams.members}>
        {(close) => <MembersForm team={team} onClose={close} />}
      </DialogAction>
      <DialogAction label={teams.changeRoles} action="updateTeamCustomRoles" resource={resource}>
        {(close) => (
          <RolesOfTeam team={team}>{(keys) => <RolesForm team={team} before={keys} onClose={close} />}</RolesOfTeam>
        )}
      </DialogAction>
      <ConfirmedAction
        label={teams.remove}
        action="deleteTeam"
        resource={resource}
        danger
        question={teams.removeQuestion(team.name)}
        run={() => api.deleteTeam({ teamKey: team.key })}
      />
    </div>
  )
}

function MembersForm({ team, onClose }: { team: Team; onClose: () => void }) {
  const members = useQuery('all members', () => listAll((page) => api.listMembers(page)))
  return (
    <QueryView query={members}>{(items) => <ChosenMembers team={team} members={items} onClose={onClose} />}</QueryView>
  )
}

function ChosenMembers({ team, members, onClose }: { team: Team; members: readonly Member[]; onClose: () => void }) {
  const before = members.filter(({ teamKeys }) => teamKeys.includes(team.key)).map(({ _id }) => _id)
  const [chosen, setChosen] = useState<readonly string[]>(before)
  const save = async () => {
    const added = chosen.filter((id) => !before.includes(id))
    const removed = before.filter((id) => !chosen.includes(id))
    const instructions = [
      ...(added.length > 0 ? [{ kind: 'addMembers' as const, values: added }] : []),
      ...(removed.length > 0 ? [{ kind: 'removeMembers' as const, values: removed }] : []),
    ]
    if (instructions.length > 0) await api.patchTeam({ teamKey: team.key, body: { instructions } })
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose}>
      <fieldset>
        <legend>{teams.members}</legend>
        {members.map(({ _id, email }) => (
          <CheckField
            key={_id}
            label={email}
            checked={chosen.includes(_id)}
            onChecked={(on) => setChosen(on ? [...chosen, _id] : chosen.filter((id) => id !== _id))}
          />
        ))}
      </fieldset>
    </ActionForm>
  )
}

/** Loads the keys of the roles of a team: lists of teams do not contain them. */
function RolesOfTeam({ team, children }: { team: Team; children: (keys: readonly string[]) => ComponentChildren }) {
  const roles = useQuery(`roles of ${team.key}`, () =>
    listAll((page) => api.listTeamRoles({ teamKey: team.key, ...page })),
  )
  return <QueryView query={roles}>{(items) => children(items.map(({ key }) => key))}</QueryView>
}

function RolesForm({ team, before, onClose }: { team: Team; before: readonly string[]; onClose: () => void }) {
  const [text, setText] = useState(before.join('\n'))
  const save = async () => {
    const keys = readLines(text)
    const added = keys.filter((key) => !before.includes(key))
    const removed = before.filter((key) => !keys.includes(key))
    const instructions = [
      ...(added.length > 0 ? [{ kind: 'addCustomRoles' as const, values: added }] : []),
      ...(removed.length > 0 ? [{ kind: 'removeCustomRoles' as const, values: removed }] : []),
    ]
    if (instructions.length > 0) await api.patchTeam({ teamKey: team.key, body: { instructions } })
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose}>
      <TextArea label={teams.roles} help={texts.linesHelp} value={text} onValue={setText} />
    </ActionForm>
  )
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [roles, setRoles] = useState('')
  const create = async () => {
    await api.createTeam({ body: { key: key ?? keyFor(name), name, customRoleKeys: readLines(roles) } })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={key ?? keyFor(name)} onValue={setKey} required />
      <TextArea label={teams.roles} help={texts.linesHelp} value={roles} onValue={setRoles} rows={2} />
    </ActionForm>
  )
}
