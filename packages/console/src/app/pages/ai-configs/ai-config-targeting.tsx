import { useEffect, useState } from 'preact/hooks'
import { api, entityTagOf, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/fields.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { announce } from '../../notices.ts'
import { draftOf, sameJson, type TargetingDraft } from '../../targeting/draft.ts'
import { type Instruction, instructionsOf } from '../../targeting/instructions-of.ts'
import { isComplete } from '../../targeting/is-complete.ts'
import { TargetingEditor } from '../../targeting/targeting-editor.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { InstructionList } from '../instruction-list.tsx'
import { SaveBar } from '../targeting-panel.tsx'
import type { AIConfigPlace } from './ai-config-place.ts'

type Targeting = ResponseOf<'getAIConfigTargeting'>
type TargetingPatch = Parameters<typeof api.patchAIConfigTargeting>[0]['body']
type EnvironmentTargeting = Targeting['environments'][string]

const { aiConfigs } = texts

/** The targeting of an AI config in an environment, with the editor of flags. */
export function AIConfigTargeting({ place }: { place: AIConfigPlace }) {
  const keys = { projectKey: place.project, configKey: place.config }
  const query = useQuery(`targeting of AI config ${place.project} ${place.config}`, () =>
    api.getAIConfigTargeting(keys),
  )
  return (
    <QueryView query={query}>
      {(targeting) => {
        const config = targeting.environments[place.environment]
        return config ? (
          <TargetingDraftPanel place={place} targeting={targeting} config={config} />
        ) : (
          <p class="quiet">{aiConfigs.notHere}</p>
        )
      }}
    </QueryView>
  )
}

function TargetingDraftPanel({
  place,
  targeting,
  config,
}: {
  place: AIConfigPlace
  targeting: Targeting
  config: EnvironmentTargeting
}) {
  const ids = targeting.variations.map(({ _id }) => _id)
  const stored = draftOf({ ...config, on: config.enabled }, ids)
  const [base, setBase] = useState(stored)
  const [draft, setDraft] = useState(stored)
  const [reviewed, setReviewed] = useState<readonly Instruction[] | undefined>(undefined)
  const reset = (state: TargetingDraft) => {
    setBase(state)
    setDraft(state)
  }
  useEffect(() => {
    // A draft with changes is kept: the entity tag of its base makes the API refuse to overwrite other changes.
    if (!sameJson(stored, base) && sameJson(draft, base)) reset(stored)
  }, [JSON.stringify(stored)])
  const instructions = instructionsOf(base, draft)
  return (
    <section class="panel">
      <h2>{aiConfigs.targeting(config._environmentName)}</h2>
      <TargetingEditor
        place={place}
        subject={{
          resource: `proj/${place.project}:env/${place.environment}:aiconfig/${place.config}`,
          variations: targeting.variations,
          action: 'updateAIConfigTargeting',
        }}
        draft={draft}
        onChange={setDraft}
      />
      {instructions.length > 0 && (
        <SaveBar
          complete={isComplete(draft)}
          onReview={() => setReviewed(instructions)}
          onDiscard={() => reset(stored)}
        />
      )}
      {reviewed && (
        <SaveDialog
          place={place}
          instructions={reviewed}
          onClose={() => setReviewed(undefined)}
          onSaved={() => {
            setReviewed(undefined)
            setBase(draft)
          }}
        />
      )}
    </section>
  )
}

function SaveDialog({
  place,
  instructions,
  onClose,
  onSaved,
}: {
  place: AIConfigPlace
  instructions: readonly Instruction[]
  onClose: () => void
  onSaved: () => void
}) {
  const [comment, setComment] = useState('')
  const [tag] = useState(() => {
    const [project, config] = [place.project, place.config].map(encodeURIComponent)
    return entityTagOf(`/api/v2/projects/${project}/ai-configs/${config}/targeting`)
  })
  const save = async () => {
    const body = {
      environmentKey: place.environment,
      // Cast: the API validates instructions, and its errors name the invalid one.
      instructions: instructions as TargetingPatch['instructions'],
      ...(comment === '' ? {} : { comment }),
    }
    const keys = { projectKey: place.project, configKey: place.config }
    await api.patchAIConfigTargeting({ ...keys, body }, tag === undefined ? {} : { ifMatch: tag })
    announce(aiConfigs.saved)
    onSaved()
  }
  return (
    <Dialog title={texts.targeting.review} onClose={onClose} wide>
      <InstructionList instructions={instructions} />
      <ActionForm submit={texts.review.submit.now} onSubmit={save} onCancel={onClose}>
        <TextField label={texts.comment} value={comment} onValue={setComment} />
      </ActionForm>
    </Dialog>
  )
}
