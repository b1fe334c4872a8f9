import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogAction } from '../../components/dialog-action.tsx'
import { CheckField, TextField } from '../../components/fields.tsx'
import { readTags } from '../../components/json-text.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { hrefOf, Link } from '../../navigation.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { AddressFields, readStatements, StatementsField, type WebhookFormat } from './webhook-fields.tsx'

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
  const [format, setFormat] = useState<WebhookFormat>('')
  const [sign, setSign] = useState(true)
  const [tags, setTags] = useState('')
  const [text, setText] = useState('')
  const statements = readStatements(text)
  const create = async () => {
    if ('error' in statements) return
    const settings = { name, url, on: true, sign, tags: readTags(tags), statements: statements.value }
    onCreated(await api.createWebhook({ body: { ...settings, ...(format === '' ? {} : { format }) } }))
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose} disabled={'error' in statements}>
      <TextField label={texts.name} value={name} onValue={setName} />
      <AddressFields url={url} format={format} onUrl={setUrl} onFormat={setFormat} />
      <CheckField label={webhooks.sign} checked={sign} onChecked={setSign} />
      <TextField label={texts.tags} help={texts.tagsHelp} value={tags} onValue={setTags} />
      <StatementsField text={text} onText={setText} />
    </ActionForm>
  )
}
