import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogAction } from '../../components/dialog-action.tsx'
import { TextField } from '../../components/fields.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { Time } from '../../components/time.tsx'
import { hrefOf, Link } from '../../navigation.tsx'
import { currentEnvironment } from '../../place.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { RelayPolicyField, useReadPolicy } from './relay-policy.tsx'

type Relay = ResponseOf<'postRelayAutoConfig'>

const { relays } = texts

/** The Relay Proxy configurations of the account. The key of a new configuration is shown once. */
export function RelaysPage() {
  const [created, setCreated] = useState<Relay | undefined>(undefined)
  const list = useQuery('relays', () => api.getRelayProxyConfigs())
  return (
    <>
      <PageTitle title={relays.title}>
        <DialogAction
          label={relays.create}
          action="createRelayAutoConfiguration"
          resource="relay-proxy-config/*"
          kind="primary"
          wide
        >
          {(close) => <CreateForm onCreated={setCreated} onClose={close} />}
        </DialogAction>
      </PageTitle>
      {created?.fullKey && (
        <ShownOnce label={relays.keyValue(created.name)} value={created.fullKey} onDone={() => setCreated(undefined)} />
      )}
      <section class="panel">
        <p class="quiet">{relays.help}</p>
        <QueryView query={list}>
          {({ items }) => (
            <DataTable
              label={relays.title}
              columns={relays.columns}
              empty={relays.empty}
              rows={items.map((relay) => ({ key: relay._id, cells: cellsOf(relay) }))}
            />
          )}
        </QueryView>
      </section>
    </>
  )
}

function cellsOf({ _id, name, policy, displayKey, lastModified }: Relay) {
  return [
    <Link key="name" href={hrefOf('relay', { relay: _id })}>
      {name}
    </Link>,
    texts.roles.statements(policy.length),
    displayKey === '' ? relays.noKey : <code key="key">…{displayKey}</code>,
    <Time key="changed" value={lastModified} />,
  ]
}

/** Returns a policy to begin with, which selects the environment of the page, or else each production environment. */
function initialPolicy(): string {
  const { project = '*', environment = 'production' } = currentEnvironment.peek() ?? {}
  const resources = [`proj/${project}:env/${environment}`]
  return JSON.stringify([{ effect: 'allow', resources, actions: ['viewSdkKey'] }], null, 2)
}

function CreateForm({ onCreated, onClose }: { onCreated: (relay: Relay) => void; onClose: () => void }) {
  const [name, setName] = useState('')
  const [text, setText] = useState(initialPolicy)
  const read = useReadPolicy(text)
  const create = async () => {
    if ('errors' in read) return
    onCreated(await api.postRelayAutoConfig({ body: { name, policy: read.statements } }))
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose} disabled={'errors' in read}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <RelayPolicyField text={text} read={read} onText={setText} />
    </ActionForm>
  )
}
