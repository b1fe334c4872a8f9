import { useState } from 'preact/hooks'
import { api, type Flag } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { ErrorMessage } from '../../components/query-view.tsx'
import type { FlagPlace } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { ParameterFields } from './parameter-fields.tsx'
import { areComplete, newStage, type StageDraft, stagesInput } from './stage-draft.ts'
import { StageFields } from './stage-fields.tsx'
import { StageList } from './stage-list.tsx'
import { initialText, parameterValues, type Template } from './template-parameters.ts'

const { workflows } = texts

/** Creates a workflow of a flag from stages that are entered, or from a template. */
export function CreateWorkflow({ place, flag, onClose }: { place: FlagPlace; flag: Flag; onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [stages, setStages] = useState<readonly StageDraft[]>(() => [newStage(flag.variations[0]?._id ?? '')])
  const [template, setTemplate] = useState<Template | undefined>(undefined)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const templates = useQuery('workflow templates', () => api.getWorkflowTemplates({}))
  const choose = (key: string) => {
    const chosen = templates.data?.items.find(({ _key }) => _key === key)
    setTemplate(chosen)
    setValues(Object.fromEntries((chosen?.parameters ?? []).map((each) => [each._id, initialText(flag, each)])))
  }
  const parameters = parameterValues(flag, template?.parameters ?? [], values)
  const isComplete = template ? parameters !== undefined : areComplete(stages)
  const create = async () => {
    const source = template ? { templateKey: template._key, parameters } : { stages: stagesInput(stages) }
    await api.postWorkflow({
      projectKey: place.project,
      environmentKey: place.environment,
      flagKey: place.flag,
      body: { name, ...(description === '' ? {} : { description }), ...source },
    })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose} disabled={!isComplete}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.description} value={description} onValue={setDescription} />
      {templates.error !== undefined && <ErrorMessage error={templates.error} />}
      <SelectField
        label={workflows.source}
        value={template?._key ?? ''}
        onValue={choose}
        options={[
          ['', workflows.ownStages],
          ...(templates.data?.items ?? []).map(
            ({ _key, name: shown = _key }) => [_key, workflows.ofTemplate(shown)] as const,
          ),
        ]}
      />
      {template ? (
        <>
          <StageList stages={template.stages ?? []} showsState={false} />
          <ParameterFields
            flag={flag}
            template={template}
            values={values}
            onValue={(id, text) => setValues((before) => ({ ...before, [id]: text }))}
          />
        </>
      ) : (
        <StageFields variations={flag.variations} stages={stages} onChange={setStages} />
      )}
    </ActionForm>
  )
}
