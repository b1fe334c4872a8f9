import { useEffect, useState } from 'preact/hooks'
import { api, entityTagOf, type Flag } from '../api.ts'
import { QueryView } from '../components/query-view.tsx'
import { announce } from '../notices.ts'
import { type FlagPlace, ReviewDialog } from '../review/review-dialog.tsx'
import { draftOf, sameJson, type TargetingDraft } from '../targeting/draft.ts'
import { type Instruction, instructionsOf } from '../targeting/instructions-of.ts'
import { isComplete } from '../targeting/is-complete.ts'
import { MergeDialog } from '../targeting/merge-dialog.tsx'
import { type MergeConflict, mergeDrafts, type PartName } from '../targeting/merge-drafts.ts'
import { TargetingEditor } from '../targeting/targeting-editor.tsx'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'

/** The targeting of a flag in an environment: editor, review, and the merge with concurrent changes. */
export function TargetingPanel({ place, flag }: { place: FlagPlace; flag: Flag }) {
  const config = flag.environments?.[place.environment]
  const keys = (config?.prerequisites ?? []).map(({ key }) => key)
  const prerequisites = useQuery(`prerequisites ${place.project} ${keys.join(' ')}`, async () => {
    const flags = keys.map((flagKey) => api.getFlag({ projectKey: place.project, flagKey }))
    return Object.fromEntries((await Promise.all(flags)).map(({ key, variations }) => [key, variations]))
  })
  if (!config) return null
  return (
    <QueryView query={prerequisites}>
      {(variationsByFlag) => {
        const ids = Object.fromEntries(
          Object.entries(variationsByFlag).map(([key, variations]) => [key, variations.map(({ _id }) => _id)]),
        )
        const stored = draftOf(
          config,
          flag.variations.map(({ _id }) => _id),
          ids,
        )
        return <DraftPanel place={place} flag={flag} stored={stored} name={config._environmentName} />
      }}
    </QueryView>
  )
}

interface EditState {
  /** The state that the person began to edit, with its entity tag. */
  readonly base: TargetingDraft
  readonly tag: string | undefined
  readonly draft: TargetingDraft
}

function DraftPanel({
  place,
  flag,
  stored,
  name,
}: {
  place: FlagPlace
  flag: Flag
  stored: TargetingDraft
  name: string
}) {
  const tag = entityTagOf(`/api/v2/flags/${encodeURIComponent(place.project)}/${encodeURIComponent(place.flag)}`)
  const [edit, setEdit] = useState<EditState>({ base: stored, tag, draft: stored })
  const [conflicts, setConflicts] = useState<readonly MergeConflict[]>([])
  // The reviewed change stays the same while the dialog is open, also when other people change the flag.
  const [reviewed, setReviewed] = useState<
    { instructions: readonly Instruction[]; tag: string | undefined } | undefined
  >()
  useEffect(() => {
    if (reviewed) return
    if (sameJson(stored, edit.base)) {
      if (tag !== edit.tag) setEdit({ ...edit, tag })
      return
    }
    const merge = mergeDrafts(edit.base, edit.draft, stored)
    const isChanged = !sameJson(edit.draft, edit.base)
    if (merge.conflicts.length > 0) setConflicts(merge.conflicts)
    else {
      if (isChanged) announce(texts.merge.merged)
      setEdit({ base: stored, tag, draft: merge.merged })
    }
  }, [stored, tag, reviewed])
  const instructions = instructionsOf(edit.base, edit.draft)
  const resolve = (keep: Readonly<Partial<Record<PartName, 'yours' | 'theirs'>>>) => {
    setEdit({ base: stored, tag, draft: mergeDrafts(edit.base, edit.draft, stored, keep).merged })
    setConflicts([])
  }
  const saved = () => {
    setReviewed(undefined)
    // The draft becomes the stored state when the page has loaded it again.
    setEdit({ base: edit.base, tag: edit.tag, draft: edit.base })
  }
  return (
    <section class="panel">
      <h2>{texts.targeting.title(name)}</h2>
      <TargetingEditor
        place={place}
        subject={{
          resource: `proj/${place.project}:env/${place.environment}:flag/${place.flag}`,
          variations: flag.variations,
          flagKey: flag.key,
          archived: flag.archived,
        }}
        draft={edit.draft}
        onChange={(draft) => setEdit({ ...edit, draft })}
      />
      {instructions.length > 0 && (
        <SaveBar
          complete={isComplete(edit.draft)}
          onReview={() => setReviewed({ instructions, tag: edit.tag })}
          onDiscard={() => setEdit({ base: stored, tag, draft: stored })}
        />
      )}
      {reviewed && (
        <ReviewDialog
          place={place}
          instructions={reviewed.instructions}
          ifMatch={reviewed.tag}
          onClose={() => setReviewed(undefined)}
          onDone={saved}
        />
      )}
      {conflicts.length > 0 && <MergeDialog conflicts={conflicts} onResolve={resolve} />}
    </section>
  )
}

/** Offers to review and to discard a change that is not saved. */
export function SaveBar({
  complete,
  onReview,
  onDiscard,
}: {
  complete: boolean
  onReview: () => void
  onDiscard: () => void
}) {
  return (
    <div class="bar">
      <span>{complete ? texts.targeting.unsaved : texts.targeting.stillInvalid}</span>
      <button type="button" class="primary" disabled={!complete} onClick={onReview}>
        {texts.targeting.review}
      </button>
      <button type="button" onClick={onDiscard}>
        {texts.targeting.discard}
      </button>
    </div>
  )
}
