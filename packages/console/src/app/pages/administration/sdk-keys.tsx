import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { dateOf, localTimeText, Time } from '../../components/time.tsx'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { keyFor } from '../create-flag.tsx'
import { ResetKeyForm } from './reset-key-form.tsx'

type SdkKey = ResponseOf<'getSdkKeys'>['items'][number]
type SdkKeyKind = SdkKey['kind']

interface Place {
  readonly projectKey: string
  readonly environmentKey: string
}

const { sdkKeys } = texts

/** The SDK keys of an environment. The API masks their values for people who may not view them. */
export function SdkKeysPage({
  params: { project = '', environment = '' },
}: {
  params: Readonly<Record<string, string>>
}) {
  const place = { projectKey: project, environmentKey: environment }
  const list = useList(`SDK keys ${project} ${environment}`, (page) => api.getSdkKeys({ ...place, ...page }))
  return (
    <>
      <PageTitle title={sdkKeys.title(environment)}>
        <DialogAction label={sdkKeys.create} action="createSdkKey" resource={addressOf(place, '*')} kind="primary">
          {(close) => <CreateForm place={place} onClose={close} />}
        </DialogAction>
      </PageTitle>
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={sdkKeys.title(environment)}
            columns={sdkKeys.columns}
            empty={sdkKeys.empty}
            rows={items.map((key) => ({ key: key.key, cells: cellsOf(place, key) }))}
          />
        )}
      </ListView>
    </>
  )
}

const addressOf = ({ projectKey, environmentKey }: Place, key: string) =>
  `proj/${projectKey}:env/${environmentKey}:sdk-key/${key}`

function cellsOf(place: Place, sdkKey: SdkKey) {
  const { key, name, kind, value, expiry, isDefault } = sdkKey
  return [
    name,
    <code key="key">{key}</code>,
    sdkKeys.kinds[kind],
    <code key="value">{value}</code>,
    expiry === undefined ? sdkKeys.never : <Expiry key="expiry" value={expiry} />,
    isDefault ? (
      <ResetAction key="reset" place={place} sdkKey={sdkKey} />
    ) : (
      <div key="actions" class="row">
        <DialogAction label={sdkKeys.changeExpiry} action="updateSdkKey" resource={addressOf(place, key)}>
          {(close) => <ExpiryForm place={place} sdkKey={sdkKey} onClose={close} />}
        </DialogAction>
        <ConfirmedAction
          label={sdkKeys.remove}
          action="deleteSdkKey"
          resource={addressOf(place, key)}
          danger
          question={sdkKeys.removeQuestion(name)}
          run={() => api.deleteSdkKeyByKey({ ...place, sdkKeyKey: key })}
        />
      </div>
    ),
  ]
}

/** The time from which an SDK key is refused, marked where it has passed. */
function Expiry({ value }: { value: string | number }) {
  return (
    <>
      <Time value={value} /> {dateOf(value).getTime() <= Date.now() && <span class="tag">{sdkKeys.expired}</span>}
    </>
  )
}

interface KeyProps {
  readonly place: Place
  readonly sdkKey: SdkKey
}

/** The default keys belong to the environment itself. They can be reset, but not changed or deleted. */
function ResetAction({ place, sdkKey: { name, kind } }: KeyProps) {
  const offer = { label: sdkKeys.reset, resource: `proj/${place.projectKey}:env/${place.environmentKey}` }
  if (kind === 'sdk') {
    return (
      <DialogAction {...offer} action="updateApiKey" kind="danger">
        {(close) => (
          <ResetKeyForm
            texts={sdkKeys}
            question={sdkKeys.resetQuestion(name)}
            onReset={async (input) => void (await api.resetSdkKey({ ...place, ...input }))}
            onClose={close}
          />
        )}
      </DialogAction>
    )
  }
  return (
    <ConfirmedAction
      {...offer}
      action="updateMobileKey"
      danger
      question={sdkKeys.resetQuestion(name)}
      run={() => api.resetMobileKey(place)}
    />
  )
}

function ExpiryField({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  return (
    <TextField label={sdkKeys.expiry} help={sdkKeys.expiryHelp} type="datetime-local" value={value} onValue={onValue} />
  )
}

function ExpiryForm({
  place,
  sdkKey: { key, expiry, _version: version },
  onClose,
}: KeyProps & { onClose: () => void }) {
  const [time, setTime] = useState(expiry === undefined ? '' : localTimeText(expiry))
  // The version with which the person began, so that the change of another person is not overwritten.
  const [before] = useState(version)
  const save = async () => {
    const body = { expiry: time === '' ? null : new Date(time).getTime() }
    await api.patchSdkKeyByKey({ ...place, sdkKeyKey: key, version: before, body })
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose}>
      <ExpiryField value={time} onValue={setTime} />
    </ActionForm>
  )
}

interface CreateProps {
  readonly place: Place
  readonly onClose: () => void
}

function CreateForm({ place, onClose }: CreateProps) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [kind, setKind] = useState<SdkKeyKind>('sdk')
  const [time, setTime] = useState('')
  const sdkKeyKey = key ?? keyFor(name)
  const create = async () => {
    const expiry = time === '' ? {} : { expiry: new Date(time).getTime() }
    await api.postSdkKey({ ...place, body: { key: sdkKeyKey, name, kind, ...expiry } })
    onClose()
  }
  const kinds = (['sdk', 'mobile'] as const).map((each) => [each, sdkKeys.kinds[each]] as const)
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <p class="quiet">{sdkKeys.help}</p>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={sdkKeyKey} onValue={setKey} required />
      <SelectField label={sdkKeys.kind} value={kind} onValue={setKind} options={kinds} />
      <ExpiryField value={time} onValue={setTime} />
    </ActionForm>
  )
}
