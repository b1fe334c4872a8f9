import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { readLines } from '../../components/json-text.ts'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { dateOf, Time } from '../../components/time.tsx'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { useQuery } from '../../use-query.ts'

type Token = ResponseOf<'listTokens'>['items'][number]
type TokenRole = 'reader' | 'writer' | 'admin'

const { tokens } = texts

/** The access tokens that the person may view. The value of a new token is shown once. */
export function TokensPage() {
  const [created, setCreated] = useState<Token | undefined>(undefined)
  const list = useList('tokens', (page) => api.listTokens(page))
  const caller = useQuery('caller', () => api.getCallerIdentity())
  const memberId = caller.data?.memberId
  return (
    <>
      <PageTitle title={tokens.title}>
        {memberId && (
          <CreateAction
            label={tokens.create}
            resource={`member/${memberId}:token/*`}
            serviceToken={false}
            onCreated={setCreated}
          />
        )}
        <CreateAction label={tokens.createService} resource="service-token/*" serviceToken onCreated={setCreated} />
      </PageTitle>
      {created && (
        <ShownOnce
          label={tokens.value(created.name || tokens.unnamed)}
          value={created.token}
          onDone={() => setCreated(undefined)}
        />
      )}
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={tokens.title}
            columns={tokens.columns}
            empty={tokens.empty}
            rows={items.map((token) => ({ key: token._id, cells: cellsOf(token, setCreated) }))}
          />
        )}
      </ListView>
    </>
  )
}

function cellsOf(token: Token, onCreated: (token: Token) => void) {
  const { _id: id, name, _member, memberId, serviceToken, customRoleIds, inlineRole, role, lastUsed } = token
  const resource = serviceToken ? `service-token/${id}` : `member/${memberId}:token/${id}`
  const displayName = name || tokens.unnamed
  const rights = inlineRole.length > 0 ? tokens.inline(inlineRole.length) : customRoleIds.join(', ') || role
  return [
    displayName,
    serviceToken ? tokens.service : _member?.email,
    rights,
    <code key="end">…{token.token}</code>,
    dateOf(lastUsed).getTime() > 0 ? <Time value={lastUsed} /> : tokens.never,
    <div key="actions" class="row">
      <ConfirmedAction
        label={tokens.reset}
        action="resetAccessToken"
        resource={resource}
        question={tokens.resetQuestion(displayName)}
        run={async () => onCreated(await api.resetToken({ id }))}
      />
      <ConfirmedAction
        label={tokens.remove}
        action="deleteAccessToken"
        resource={resource}
        danger
        question={tokens.removeQuestion(displayName)}
        run={() => api.deleteToken({ id })}
      />
    </div>,
  ]
}

interface CreateProps {
  readonly serviceToken: boolean
  readonly onCreated: (token: Token) => void
}

function CreateAction({ label, resource, ...rest }: CreateProps & { label: string; resource: string }) {
  return (
    <DialogAction label={label} action="createAccessToken" resource={resource} kind="primary">
      {(close) => <CreateForm {...rest} onClose={close} />}
    </DialogAction>
  )
}

function CreateForm({ serviceToken, onCreated, onClose }: CreateProps & { onClose: () => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<TokenRole>('reader')
  const [customRoles, setCustomRoles] = useState('')
  const create = async () => {
    const customRoleIds = readLines(customRoles)
    const rights = customRoleIds.length > 0 ? { customRoleIds } : { role }
    onCreated(await api.createToken({ body: { name, serviceToken, ...rights } }))
    onClose()
  }
  const options = (['reader', 'writer', 'admin'] as const).map(
    (each) => [each, texts.members.roles[each] ?? each] as const,
  )
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <p class="quiet">{serviceToken ? tokens.serviceHelp : tokens.personalHelp}</p>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <SelectField label={tokens.role} value={role} onValue={setRole} options={options} />
      <TextArea label={tokens.roles} help={tokens.rolesHelp} value={customRoles} onValue={setCustomRoles} rows={2} />
    </ActionForm>
  )
}
