import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Time } from '../../components/time.tsx'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { keyFor } from '../create-flag.tsx'

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

function cellsOf(place: Place, { key, name, kind, value, expiry, isDefault }: SdkKey) {
  return [
    name,
    <code key="key">{key}</code>,
    sdkKeys.kinds[kind],
    <code key="value">{value}</code>,
    expiry === undefined ? sdkKeys.never : <Time value={expiry} />,
    // The environment itself has the default keys, which are reset and not deleted.
    isDefault ? (
      ''
    ) : (
      <ConfirmedAction
        key="delete"
        label={sdkKeys.remove}
        action="deleteSdkKey"
        resource={addressOf(place, key)}
        danger
        question={sdkKeys.removeQuestion(name)}
        run={() => api.deleteSdkKeyByKey({ ...place, sdkKeyKey: key })}
      />
    ),
  ]
}

interface CreateProps {
  readonly place: Place
  readonly onClose: () => void
}

function CreateForm({ place, onClose }: CreateProps) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [kind, setKind] = useState<SdkKeyKind>('sdk')
  const sdkKeyKey = key ?? keyFor(name)
  const create = async () => {
    await api.postSdkKey({ ...place, body: { key: sdkKeyKey, name, kind } })
    onClose()
  }
  const kinds = (['sdk', 'mobile'] as const).map((each) => [each, sdkKeys.kinds[each]] as const)
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <p class="quiet">{sdkKeys.help}</p>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={sdkKeyKey} onValue={setKey} required />
      <SelectField label={sdkKeys.kind} value={kind} onValue={setKind} options={kinds} />
    </ActionForm>
  )
}
