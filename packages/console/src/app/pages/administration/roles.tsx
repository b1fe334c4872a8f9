import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { TextField } from '../../components/fields.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { hrefOf, Link, navigate } from '../../navigation.tsx'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { keyFor } from '../create-flag.tsx'

const { roles } = texts

/** The custom roles of the account. */
export function RolesPage() {
  const list = useList('roles', (page) => api.listRoles(page))
  return (
    <>
      <PageTitle title={roles.title}>
        <DialogAction label={roles.create} action="createRole" resource="role/*" kind="primary">
          {(close) => <CreateForm onClose={close} />}
        </DialogAction>
      </PageTitle>
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={roles.title}
            columns={roles.columns}
            empty={roles.empty}
            rows={items.map(({ key, name, policy }) => ({
              key,
              cells: [
                <Link key="name" href={hrefOf('role', { role: key })}>
                  {name}
                </Link>,
                roles.statements(policy.length),
                <ConfirmedAction
                  key="remove"
                  label={roles.remove}
                  action="deleteRole"
                  resource={`role/${key}`}
                  danger
                  question={roles.removeQuestion(name)}
                  run={() => api.deleteRole({ roleKey: key })}
                />,
              ],
            }))}
          />
        )}
      </ListView>
    </>
  )
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const roleKey = key ?? keyFor(name)
  const create = async () => {
    // A new role allows nothing more than to view projects, until its policy is written on its page.
    const policy = [{ effect: 'allow' as const, resources: ['proj/*'], actions: ['viewProject'] }]
    await api.createRole({ body: { key: roleKey, name, policy } })
    onClose()
    navigate(hrefOf('role', { role: roleKey }))
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={roleKey} onValue={setKey} required />
    </ActionForm>
  )
}
