import { useCallback, useEffect, useState } from 'preact/hooks'
import { announce } from '../notices.ts'
import { ReviewDialog } from '../review/review-dialog.tsx'
import type { ReviewedChange } from '../review/reviewed-change.ts'
import { texts } from '../texts.ts'
import { sameJson, type TargetingDraft } from './draft.ts'
import { type Instruction, instructionsOf } from './instructions-of.ts'
import { isComplete } from './is-complete.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { type MergeConflict, mergeDrafts, type PartName } from './merge-drafts.ts'
import { TargetingEditor, type TargetingSubject } from './targeting-editor.tsx'

interface EditState {
  /** The state that the person began to edit, with its entity tag. */
  readonly base: TargetingDraft
  readonly tag: string | undefined
  readonly draft: TargetingDraft
}

/**
 * Edits the targeting of a flag or an AI config in an environment: editor, review, and the merge with concurrent changes.
 *
 * @param stored the targeting that the API returned last, with its entity tag.
 * @param changeOf returns the change that the instructions make to the state with an entity tag.
 */
export function DraftPanel({
  title,
  place,
  subject,
  stored,
  tag,
  changeOf,
}: {
  title: string
  place: Readonly<Record<'project' | 'environment', string>>
  subject: TargetingSubject
  stored: TargetingDraft
  tag: string | undefined
  changeOf: (instructions: readonly Instruction[], tag: string | undefined) => ReviewedChange
}) {
  const [edit, setEdit] = useState<EditState>({ base: stored, tag, draft: stored })
  const [conflicts, setConflicts] = useState<readonly MergeConflict[]>([])
  // The reviewed change stays the same while the dialog is open, also when other people change the flag.
  const [reviewed, setReviewed] = useState<ReviewedChange | undefined>(undefined)
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
  const change = useCallback(
    (edited: (draft: TargetingDraft) => TargetingDraft) =>
      setEdit((state) => ({ ...state, draft: edited(state.draft) })),
    [],
  )
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
      <h2>{title}</h2>
      <TargetingEditor place={place} subject={subject} draft={edit.draft} onChange={change} />
      {instructions.length > 0 && (
        <SaveBar
          complete={isComplete(edit.draft)}
          onReview={() => setReviewed(changeOf(instructions, edit.tag))}
          onDiscard={() => setEdit({ base: stored, tag, draft: stored })}
        />
      )}
      {reviewed && <ReviewDialog change={reviewed} onClose={() => setReviewed(undefined)} onDone={saved} />}
      {conflicts.length > 0 && <MergeDialog conflicts={conflicts} onResolve={resolve} />}
    </section>
  )
}

/** Offers to review and to discard a change that is not saved. */
function SaveBar({
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
