import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { readJson } from '../../components/json-text.ts'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { announce } from '../../notices.ts'
import { currentEnvironment } from '../../place.ts'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { useQuery } from '../../use-query.ts'

type Destination = ResponseOf<'listDestinations'>['items'][number]
type DestinationKind = Parameters<typeof api.createDestination>[0]['body']['kind']

interface DestinationKeys {
  readonly projectKey: string
  readonly environmentKey: string
  readonly id: string
}

const { destinations } = texts

const kinds = [
  'http-ndjson',
  's3',
  'kinesis',
  'google-pubsub',
  'azure-event-hubs',
  'bigquery',
  'redshift',
  'snowflake-v2',
  'databricks',
  'segment',
  'mparticle',
  'file',
] as const satisfies readonly DestinationKind[]

/** The destinations of data export in all environments. */
export function DestinationsPage() {
  const list = useList('destinations', (page) => api.listDestinations(page))
  const place = currentEnvironment.value
  return (
    <>
      <PageTitle title={destinations.title}>
        {place && (
          <DialogAction
            label={destinations.create}
            action="createDestination"
            resource={`proj/${place.project}:env/${place.environment}:destination/*`}
            kind="primary"
          >
            {(close) => <CreateForm place={place} onClose={close} />}
          </DialogAction>
        )}
      </PageTitle>
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={destinations.title}
            columns={destinations.columns}
            empty={destinations.empty}
            rows={items.map((destination) => ({ key: destination._id, cells: cellsOf(destination) }))}
          />
        )}
      </ListView>
    </>
  )
}

/** Reads the environment of a destination from its link, because the response contains the environment nowhere else. */
function keysOf({ _id: id, _links }: Destination): DestinationKeys {
  const [environmentKey = '', projectKey = ''] = (_links.self?.href ?? '').split('/').reverse().slice(1)
  return { projectKey: decodeURIComponent(projectKey), environmentKey: decodeURIComponent(environmentKey), id }
}

function cellsOf(destination: Destination) {
  const { name, kind, on, disabledReason } = destination
  const keys = keysOf(destination)
  return [
    name,
    `${keys.projectKey} / ${keys.environmentKey}`,
    kind,
    <>
      {texts.webhooks.state(on)} {disabledReason && <span class="error">{disabledReason}</span>}
    </>,
    <DestinationActions key="actions" destination={destination} keys={keys} />,
  ]
}

function DestinationActions({ destination: { name, on }, keys }: { destination: Destination; keys: DestinationKeys }) {
  const resource = `proj/${keys.projectKey}:env/${keys.environmentKey}:destination/${keys.id}`
  return (
    <>
      <details>
        <summary>{destinations.deliveries}</summary>
        <Deliveries keys={keys} />
      </details>
      <div class="row">
        <ConfirmedAction
          label={on ? destinations.turnOff : destinations.turnOn}
          action="updateOn"
          resource={resource}
          question={destinations.turnQuestion(name, !on)}
          run={() => api.patchDestination({ ...keys, body: [{ op: 'replace', path: '/on', value: !on }] })}
        />
        <ConfirmedAction
          label={destinations.replay}
          action="updateOn"
          resource={resource}
          question={destinations.replayQuestion(name)}
          run={async () => {
            const { count } = await api.replayDestination(keys)
            announce(texts.webhooks.replayed(count))
          }}
        />
        <ConfirmedAction
          label={destinations.remove}
          action="deleteDestination"
          resource={resource}
          danger
          question={destinations.removeQuestion(name)}
          run={() => api.deleteDestination(keys)}
        />
      </div>
    </>
  )
}

function Deliveries({ keys }: { keys: DestinationKeys }) {
  const query = useQuery(`deliveries ${keys.id}`, () => api.listDestinationDeliveries({ ...keys, limit: 10 }))
  return (
    <QueryView query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="quiet">{destinations.noDeliveries}</p>
        ) : (
          <ul>
            {items.map(({ _id, date, outcome, events, reason }) => (
              <li key={_id}>
                <Time value={date} /> · {outcome} · {destinations.events(events)} {reason}
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

type Place = Readonly<Record<'project' | 'environment', string>>

function CreateForm({ place, onClose }: { place: Place; onClose: () => void }) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<DestinationKind>('http-ndjson')
  const [config, setConfig] = useState('{}')
  const json = readJson(config)
  const error = 'error' in json ? texts.variations.invalidJson(json.error) : objectError(json.value)
  const create = async () => {
    const keys = { projectKey: place.project, environmentKey: place.environment }
    // Cast: the value is an object, and the API validates its properties by the kind.
    const value = ('value' in json ? json.value : {}) as Record<string, string>
    await api.createDestination({ ...keys, body: { name, kind, config: value, on: true } })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose} disabled={error !== undefined}>
      <p class="quiet">{`${place.project} / ${place.environment}`}</p>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <SelectField
        label={destinations.kind}
        value={kind}
        onValue={setKind}
        options={kinds.map((each) => [each, each] as const)}
      />
      <TextArea
        label={destinations.configuration}
        help={destinations.configurationHelp}
        error={error}
        value={config}
        onValue={setConfig}
        code
      />
    </ActionForm>
  )
}

function objectError(value: unknown): string | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? undefined : destinations.mustBeObject
}
