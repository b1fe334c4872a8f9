import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { CheckField, TextField } from '../../components/fields.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'

type Client = ResponseOf<'createOAuthClient'>

const { oauthClients } = texts

/** The OAuth 2.0 clients of the account. */
export function OAuthClientsPage() {
  const [created, setCreated] = useState<Client | undefined>(undefined)
  const list = useList('OAuth clients', (page) => api.listOAuthClients(page))
  return (
    <>
      <PageTitle title={oauthClients.title}>
        <DialogAction label={oauthClients.create} action="createOAuthClient" resource="oauth-client/*" kind="primary">
          {(close) => <CreateForm onCreated={setCreated} onClose={close} />}
        </DialogAction>
      </PageTitle>
      {created?._clientSecret && (
        <ShownOnce
          label={oauthClients.secret(created.name)}
          value={created._clientSecret}
          onDone={() => setCreated(undefined)}
        />
      )}
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={oauthClients.title}
            columns={oauthClients.columns}
            empty={oauthClients.empty}
            rows={items.map(({ _clientId, name, redirectUri }) => ({
              key: _clientId,
              cells: [
                name,
                <code key="id">{_clientId}</code>,
                <code key="redirect">{redirectUri}</code>,
                <ConfirmedAction
                  key="remove"
                  label={oauthClients.remove}
                  action="deleteOAuthClient"
                  resource={`oauth-client/${_clientId}`}
                  danger
                  question={oauthClients.removeQuestion(name)}
                  run={() => api.deleteOAuthClient({ clientId: _clientId })}
                />,
              ],
            }))}
          />
        )}
      </ListView>
    </>
  )
}

function CreateForm({ onCreated, onClose }: { onCreated: (client: Client) => void; onClose: () => void }) {
  const [name, setName] = useState('')
  const [redirectUri, setRedirectUri] = useState('')
  const [isPublic, setPublic] = useState(false)
  const create = async () => {
    onCreated(await api.createOAuthClient({ body: { name, redirectUri, public: isPublic } }))
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField
        label={oauthClients.redirect}
        value={redirectUri}
        onValue={setRedirectUri}
        placeholder="https://"
        required
      />
      <CheckField label={oauthClients.public} checked={isPublic} onChecked={setPublic} />
    </ActionForm>
  )
}
