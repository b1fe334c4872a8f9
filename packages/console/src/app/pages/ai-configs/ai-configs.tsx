import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { readTags } from '../../components/json-text.ts'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { hrefOf, Link, navigate } from '../../navigation.tsx'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { keyFor } from '../create-flag.tsx'

type Place = Readonly<Record<'project' | 'environment', string>>

const { aiConfigs } = texts
const modes = ['completion', 'agent', 'judge'] as const

/** The AI configs of a project. */
export function AIConfigsPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', ...params }
  const list = useList(`AI configs ${place.project}`, (page) =>
    api.listAIConfigs({ projectKey: place.project, ...page }),
  )
  return (
    <>
      <PageTitle title={aiConfigs.title}>
        <DialogAction
          label={aiConfigs.create}
          action="createAIConfig"
          resource={`proj/${place.project}:aiconfig/*`}
          kind="primary"
        >
          {(close) => <CreateForm place={place} onClose={close} />}
        </DialogAction>
      </PageTitle>
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={aiConfigs.title}
            columns={aiConfigs.columns}
            empty={aiConfigs.empty}
            rows={items.map(({ key, name, mode, variations, tags }) => ({
              key,
              cells: [
                <Link key="name" href={hrefOf('aiConfig', { ...place, config: key })}>
                  {name}
                </Link>,
                aiConfigs.modes[mode],
                variations.map((variation) => variation.name).join(', '),
                tags.join(', '),
              ],
            }))}
          />
        )}
      </ListView>
    </>
  )
}

function CreateForm({ place, onClose }: { place: Place; onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [mode, setMode] = useState<(typeof modes)[number]>('completion')
  const [tags, setTags] = useState('')
  const configKey = key ?? keyFor(name)
  const create = async () => {
    await api.createAIConfig({
      projectKey: place.project,
      body: { key: configKey, name, mode, tags: readTags(tags) },
    })
    onClose()
    navigate(hrefOf('aiConfig', { ...place, config: configKey }))
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={configKey} onValue={setKey} required />
      <SelectField
        label={aiConfigs.mode}
        value={mode}
        onValue={setMode}
        options={modes.map((each) => [each, aiConfigs.modes[each]] as const)}
      />
      <TextField label={texts.tags} help={texts.tagsHelp} value={tags} onValue={setTags} />
    </ActionForm>
  )
}
