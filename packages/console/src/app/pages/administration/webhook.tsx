import { useState } from 'preact/hooks'
import { api, entityTagOf, type ResponseOf, refresh } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { currentQuery, hrefOf, navigate, setQuery } from '../../navigation.tsx'
import { announce } from '../../notices.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { AddressFields, readStatements, StatementsField, type WebhookFormat } from './webhook-fields.tsx'

type Attempt = ResponseOf<'listWebhookDeliveries'>['items'][number]

const { webhooks } = texts

/** A webhook with the attempts to deliver its messages. */
export function WebhookPage({ params: { webhook: id = '' } }: { params: Readonly<Record<string, string>> }) {
  const query = useQuery(`webhook ${id}`, () => api.getWebhook({ id }))
  const name = query.data?.name || query.data?.url || id
  const resource = `webhook/${id}`
  return (
    <>
      <PageTitle title={name}>
        <ConfirmedAction
          label={webhooks.test}
          action="updateOn"
          resource={resource}
          question={webhooks.testQuestion}
          run={async () => {
            await api.testWebhook({ id })
            announce(webhooks.sent)
          }}
        />
        <DialogAction label={webhooks.replay} action="updateOn" resource={resource}>
          {(close) => <ReplayForm id={id} onClose={close} />}
        </DialogAction>
        <ConfirmedAction
          label={webhooks.remove}
          action="deleteWebhook"
          resource={resource}
          danger
          question={webhooks.removeQuestion(name)}
          run={async () => {
            await api.deleteWebhook({ id })
            navigate(hrefOf('webhooks'))
          }}
        />
      </PageTitle>
      <QueryView query={query}>
        {({ url, format, on, statements }) => (
          <section class="panel">
            <p>
              <code>{url}</code> · {webhooks.state(on)}
            </p>
            <p>{`${webhooks.format}: ${webhooks.formats[format ?? '']}`}</p>
            <p>{statements.length === 0 ? webhooks.allChanges : webhooks.someChanges}</p>
            {statements.length > 0 && <pre>{JSON.stringify(statements, null, 2)}</pre>}
            <div class="row">
              <TurnAction id={id} on={on} resource={resource} name={name} />
              <DialogAction label={webhooks.editAddress} action="updateUrl" resource={resource}>
                {(close) => <AddressForm id={id} url={url} format={format ?? ''} onClose={close} />}
              </DialogAction>
              <DialogAction label={webhooks.editStatements} action="updateStatements" resource={resource} wide>
                {(close) => <StatementsForm id={id} statements={statements} onClose={close} />}
              </DialogAction>
            </div>
          </section>
        )}
      </QueryView>
      <Attempts id={id} resource={resource} />
    </>
  )
}

function TurnAction({ id, on, resource, name }: { id: string; on: boolean; resource: string; name: string }) {
  const { turnOn, turnOff, turnQuestion } = texts.destinations
  return (
    <ConfirmedAction
      label={on ? turnOff : turnOn}
      action="updateOn"
      resource={resource}
      question={turnQuestion(name, !on)}
      run={() => api.patchWebhook({ id, body: [{ op: 'replace', path: '/on', value: !on }] })}
    />
  )
}

/**
 * Returns the condition that the webhook has not changed since it was loaded last, so that the change of another person
 * is not lost.
 */
function stateOf(id: string) {
  const ifMatch = entityTagOf(`/api/v2/webhooks/${id}`)
  return ifMatch === undefined ? {} : { ifMatch }
}

function AddressForm({
  id,
  onClose,
  ...stored
}: {
  id: string
  url: string
  format: WebhookFormat
  onClose: () => void
}) {
  const [url, setUrl] = useState(stored.url)
  const [format, setFormat] = useState(stored.format)
  const [condition] = useState(() => stateOf(id))
  const save = async () => {
    const changes = [
      ...(url === stored.url ? [] : [{ op: 'replace' as const, path: '/url', value: url }]),
      ...(format === stored.format
        ? []
        : [
            format === ''
              ? { op: 'remove' as const, path: '/format' }
              : { op: 'add' as const, path: '/format', value: format },
          ]),
    ]
    if (changes.length > 0) await api.patchWebhook({ id, body: changes }, condition)
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose}>
      <AddressFields url={url} format={format} onUrl={setUrl} onFormat={setFormat} />
    </ActionForm>
  )
}

function StatementsForm({
  id,
  statements,
  onClose,
}: {
  id: string
  statements: readonly unknown[]
  onClose: () => void
}) {
  const [text, setText] = useState(statements.length === 0 ? '' : JSON.stringify(statements, null, 2))
  const [condition] = useState(() => stateOf(id))
  const read = readStatements(text)
  const save = async () => {
    if ('error' in read) return
    await api.patchWebhook({ id, body: [{ op: 'replace', path: '/statements', value: read.value }] }, condition)
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose} disabled={'error' in read}>
      <StatementsField text={text} onText={setText} />
    </ActionForm>
  )
}

const outcomes = ['all', 'success', 'failure'] as const

function Attempts({ id, resource }: { id: string; resource: string }) {
  const outcome = outcomes.find((each) => each === currentQuery.value.get('outcome')) ?? 'all'
  const query = useQuery(`attempts ${id} ${outcome}`, () =>
    api.listWebhookDeliveries({ id, limit: 50, ...(outcome === 'all' ? {} : { outcome }) }),
  )
  return (
    <section class="panel">
      <h2>{webhooks.attempts}</h2>
      <SelectField
        label={webhooks.outcomeFilter}
        value={outcome}
        onValue={(value) => setQuery({ outcome: value })}
        options={outcomes.map((each) => [each, webhooks.outcomes[each]] as const)}
      />
      <QueryView query={query}>
        {({ items }) => (
          <DataTable
            label={webhooks.attempts}
            columns={webhooks.attemptColumns}
            empty={webhooks.noAttempts}
            rows={items.map((attempt) => ({ key: attempt._id, cells: cellsOf(id, resource, attempt) }))}
          />
        )}
      </QueryView>
    </section>
  )
}

function cellsOf(id: string, resource: string, attempt: Attempt) {
  const { date, event, number, outcome, status, reason, response, deliveryId } = attempt
  return [
    <Time key="date" value={date} />,
    `${event}, ${webhooks.number(number)}`,
    <>
      {webhooks.outcome(outcome, status === undefined ? '' : String(status))}
      {reason && (
        <>
          <br />
          <span class="error">{reason}</span>
        </>
      )}
    </>,
    response && <code>{response}</code>,
    <ConfirmedAction
      key="replay"
      label={webhooks.replayOne}
      action="updateOn"
      resource={resource}
      question={webhooks.replayOne}
      run={async () => {
        await api.replayWebhookDelivery({ id, deliveryId })
        announce(webhooks.sent)
        refresh()
      }}
    />,
  ]
}

function ReplayForm({ id, onClose }: { id: string; onClose: () => void }) {
  const [after, setAfter] = useState('')
  const replay = async () => {
    const { count } = await api.replayWebhook({ id, body: { after: new Date(after).getTime() } })
    announce(webhooks.replayed(count))
    onClose()
  }
  return (
    <ActionForm submit={webhooks.replay} onSubmit={replay} onCancel={onClose}>
      <TextField label={webhooks.replayAfter} type="datetime-local" value={after} onValue={setAfter} required />
    </ActionForm>
  )
}
