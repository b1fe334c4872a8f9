import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogAction } from '../../components/dialog-action.tsx'
import { CheckField, TextArea, TextField } from '../../components/fields.tsx'
import { readJson, readTags } from '../../components/json-text.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { hrefOf, Link } from '../../navigation.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

type NewWebhook = Parameters<typeof api.createWebhook>[0]['body']
type Webhook = ResponseOf<'createWebhook'>

const { webhooks } = texts

/** The webhooks of the account. */
export function WebhooksPage() {
  const [created, setCreated] = useState<Webhook | undefined>(undefined)
  const list = useQuery('webhooks', () => api.listWebhooks())
  return (
    <>
      <PageTitle title={webhooks.title}>
        <DialogAction label={webhooks.create} action="createWebhook" resource="webhook/*" kind="primary">
          {(close) => <CreateForm onCreated={setCreated} onClose={close} />}
        </DialogAction>
      </PageTitle>
      {created?.secret && (
        <ShownOnce
          label={webhooks.secret(created.name || created.url)}
          value={created.secret}
          onDone={() => setCreated(undefined)}
        />
      )}
      <section class="panel">
        <QueryView query={list}>
          {({ items }) => (
            <DataTable
              label={webhooks.title}
              columns={webhooks.columns}
              empty={webhooks.empty}
              rows={items.map(({ _id, name, url, on, tags }) => ({
                key: _id,
                cells: [
                  <Link key="name" href={hrefOf('webhook', { webhook: _id })}>
                    {name || url}
                  </Link>,
                  <code key="url">{url}</code>,
                  webhooks.state(on),
                  tags.join(', '),
                ],
              }))}
            />
          )}
        </QueryView>
      </section>
    </>
  )
}

function CreateForm({ onCreated, onClose }: { onCreated: (webhook: Webhook) => void; onClose: () => void }) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [sign, setSign] = useState(true)
  const [tags, setTags] = useState('')
  const [statements, setStatements] = useState('')
  const json = statements.trim() === '' ? { value: [] } : readJson(statements)
  const error = 'error' in json ? texts.variations.invalidJson(json.error) : undefined
  const create = async () => {
    // Cast: the API validates statements, and its errors name the invalid one.
    const policy = 'value' in json ? (json.value as NewWebhook['statements']) : []
    const body = { name, url, on: true, sign, tags: readTags(tags), statements: policy }
    onCreated(await api.createWebhook({ body }))
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose} disabled={error !== undefined}>
      <TextField label={texts.name} value={name} onValue={setName} />
      <TextField label={webhooks.url} value={url} onValue={setUrl} placeholder="https://" required />
      <CheckField label={webhooks.sign} checked={sign} onChecked={setSign} />
      <TextField label={texts.tags} help={texts.tagsHelp} value={tags} onValue={setTags} />
      <TextArea
        label={webhooks.statements}
        help={webhooks.statementsHelp}
        error={error}
        value={statements}
        onValue={setStatements}
        code
      />
    </ActionForm>
  )
}
