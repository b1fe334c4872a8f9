import { useState } from 'preact/hooks'
import { api, type Member, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { readLines } from '../../components/json-text.ts'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { hrefOf, Link } from '../../navigation.tsx'
import { basePath } from '../../server-settings.ts'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'

type InvitedMember = ResponseOf<'createMembers'>['items'][number]

const { members } = texts
const roles = ['reader', 'writer', 'admin', 'owner', 'no_access'] as const

type MemberRole = (typeof roles)[number]

const roleOptions = roles.map((role) => [role, members.roles[role] ?? role] as const)

/** The members of the account, with their roles and teams. */
export function MembersPage() {
  const [invited, setInvited] = useState<InvitedMember | undefined>(undefined)
  const list = useList('members page', (page) => api.listMembers(page))
  return (
    <>
      <PageTitle title={members.title}>
        <DialogAction label={members.invite} action="createMember" resource="member/*" kind="primary">
          {(close) => <InviteForm onInvited={setInvited} onClose={close} />}
        </DialogAction>
      </PageTitle>
      {invited && (
        <ShownOnce
          label={members.link(invited.email)}
          value={`${location.origin}${basePath}${invited._invitation.href}`}
          onDone={() => setInvited(undefined)}
        />
      )}
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={members.title}
            columns={members.columns}
            empty={members.empty}
            rows={items.map((member) => ({
              key: member._id,
              cells: [
                <MemberName key="name" member={member} />,
                members.roles[member.role] ?? member.role,
                member.customRoles.map((role) => (
                  <Link key={role} class="tag" href={hrefOf('role', { role })}>
                    {role}
                  </Link>
                )),
                member.teamKeys.join(', '),
                <MemberActions key="actions" member={member} onInvited={setInvited} />,
              ],
            }))}
          />
        )}
      </ListView>
    </>
  )
}

function MemberName({ member: { email, firstName, lastName, _pendingInvite } }: { member: Member }) {
  const name = `${firstName} ${lastName}`.trim()
  return (
    <>
      {name || email} {_pendingInvite && <span class="tag">{members.pending}</span>}
      {name && (
        <>
          <br />
          <span class="quiet">{email}</span>
        </>
      )}
    </>
  )
}

function MemberActions({ member, onInvited }: { member: Member; onInvited: (member: InvitedMember) => void }) {
  const { _id: id, email, _pendingInvite } = member
  const resource = `member/${id}`
  return (
    <div class="row">
      <DialogAction label={members.changeRole} action="updateRole" resource={resource}>
        {(close) => <RolesForm member={member} onClose={close} />}
      </DialogAction>
      {_pendingInvite && (
        <ConfirmedAction
          label={members.again}
          action="createMember"
          resource={resource}
          question={members.againQuestion(email)}
          run={async () => onInvited(await api.inviteMember({ id }))}
        />
      )}
      <ConfirmedAction
        label={members.remove}
        action="deleteMember"
        resource={resource}
        danger
        question={members.removeQuestion(email)}
        run={() => api.deleteMember({ id })}
      />
    </div>
  )
}

function RolesForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role as MemberRole)
  const [keys, setKeys] = useState(member.customRoles.join('\n'))
  const save = async () => {
    const customRoles = readLines(keys)
    const patch = [
      ...(role === member.role ? [] : [{ op: 'replace' as const, path: '/role', value: role }]),
      ...(customRoles.join() === member.customRoles.join()
        ? []
        : [{ op: 'replace' as const, path: '/customRoles', value: customRoles }]),
    ]
    if (patch.length > 0) await api.patchMember({ id: member._id, body: patch })
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose}>
      <SelectField label={members.role} value={role} onValue={setRole} options={roleOptions} />
      <TextArea label={members.customRoles} help={texts.linesHelp} value={keys} onValue={setKeys} />
    </ActionForm>
  )
}

function InviteForm({ onInvited, onClose }: { onInvited: (member: InvitedMember) => void; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [firstName, setFirstName] = useState('')
  const [lastName, setLastName] = useState('')
  const [role, setRole] = useState<MemberRole>('reader')
  const [customRoles, setCustomRoles] = useState('')
  const [teams, setTeams] = useState('')
  const invite = async () => {
    const keys = { customRoles: readLines(customRoles), teamKeys: readLines(teams) }
    const { items } = await api.createMembers({ body: [{ email, firstName, lastName, role, ...keys }] })
    if (items[0]) onInvited(items[0])
    onClose()
  }
  return (
    <ActionForm submit={members.invite} onSubmit={invite} onCancel={onClose}>
      <TextField label={members.email} value={email} onValue={setEmail} required />
      <TextField label={members.firstName} value={firstName} onValue={setFirstName} />
      <TextField label={members.lastName} value={lastName} onValue={setLastName} />
      <SelectField label={members.role} value={role} onValue={setRole} options={roleOptions} />
      <TextArea
        label={members.customRoles}
        help={texts.linesHelp}
        value={customRoles}
        onValue={setCustomRoles}
        rows={2}
      />
      <TextArea label={texts.teams.title} help={texts.linesHelp} value={teams} onValue={setTeams} rows={2} />
    </ActionForm>
  )
}
