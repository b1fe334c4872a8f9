import { useState } from 'preact/hooks'
import type { Flag } from '../../api.ts'
import type { FlagPlace } from '../../review/reviewed-change.ts'
import { areComplete, newStage, type StageDraft, stagesInput } from './stage-draft.ts'
import { StageFields } from './stage-fields.tsx'
import { TemplateForm } from './template-form.tsx'

/** Creates a workflow template from stages that are entered for a flag. */
export function CreateTemplate({ place, flag, onClose }: { place: FlagPlace; flag: Flag; onClose: () => void }) {
  const [stages, setStages] = useState<readonly StageDraft[]>(() => [newStage(flag.variations[0]?._id ?? '')])
  return (
    <TemplateForm
      name=""
      description=""
      source={() => ({ projectKey: place.project, flagKey: place.flag, stages: stagesInput(stages) })}
      isComplete={areComplete(stages)}
      onClose={onClose}
    >
      <StageFields variations={flag.variations} stages={stages} onChange={setStages} />
    </TemplateForm>
  )
}
