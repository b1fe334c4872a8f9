import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { announce } from '../notices.ts'
import { ReviewDialog } from '../review/review-dialog.tsx'
import type { ReviewedChange } from '../review/reviewed-change.ts'
import { texts } from '../texts.ts'
import { sameJson } from './draft.ts'
import type { Instruction } from './instructions-of.ts'
import { MergeDialog } from './merge-dialog.tsx'
import type { Choices, MergeConflict, Versions } from './merge-drafts.ts'

/** The functions for drafts of one kind of resource. */
export interface DraftKind<Draft> {
  /** Returns the instructions that change one state into another. */
  readonly instructionsOf: (before: Draft, after: Draft) => readonly Instruction[]
  /** Returns true when a draft has no part that the person still has to correct. */
  readonly isComplete: (draft: Draft) => boolean
  /** Merges the changes of two people; `keep` decides about the parts that both changed. */
  readonly merge: (
    versions: Versions<Draft>,
    keep?: Choices,
  ) => { readonly merged: Draft; readonly conflicts: readonly MergeConflict[] }
}

interface EditState<Draft> {
  /** The state that the person began to edit, with its entity tag. */
  readonly base: Draft
  readonly tag: string | undefined
  readonly draft: Draft
}

/**
 * Edits a part of a resource: editor, review, and the merge with concurrent changes.
 *
 * @param stored the state that the API returned last, with its entity tag.
 * @param editor shows the fields of a draft. The function that it receives to change the draft is the same in each
 *   call.
 * @param changeOf returns the change that the instructions make to the state with an entity tag.
 */
export function DraftPanel<Draft>({
  title,
  kind,
  stored,
  tag,
  editor,
  changeOf,
}: {
  title: string
  kind: DraftKind<Draft>
  stored: Draft
  tag: string | undefined
  editor: (draft: Draft, onChange: (edited: (draft: Draft) => Draft) => void) => ComponentChildren
  changeOf: (instructions: readonly Instruction[], tag: string | undefined) => ReviewedChange
}) {
  const [edit, setEdit] = useState<EditState<Draft>>({ base: stored, tag, draft: stored })
  const [conflicts, setConflicts] = useState<readonly MergeConflict[]>([])
  // The reviewed change stays the same while the dialog is open, also when other people change the flag.
  const [reviewed, setReviewed] = useState<ReviewedChange | undefined>(undefined)
  useEffect(() => {
    if (reviewed) return
    if (sameJson(stored, edit.base)) {
      if (tag !== edit.tag) setEdit({ ...edit, tag })
      return
    }
    const merge = kind.merge({ base: edit.base, yours: edit.draft, theirs: stored })
    const isChanged = !sameJson(edit.draft, edit.base)
    if (merge.conflicts.length > 0) setConflicts(merge.conflicts)
    else {
      if (isChanged) announce(texts.merge.merged)
      setEdit({ base: stored, tag, draft: merge.merged })
    }
  }, [stored, tag, reviewed])
  const change = useCallback(
    (edited: (draft: Draft) => Draft) => setEdit((state) => ({ ...state, draft: edited(state.draft) })),
    [],
  )
  const instructions = kind.instructionsOf(edit.base, edit.draft)
  const resolve = (keep: Choices) => {
    setEdit({
      base: stored,
      tag,
      draft: kind.merge({ base: edit.base, yours: edit.draft, theirs: stored }, keep).merged,
    })
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
      {editor(edit.draft, change)}
      {instructions.length > 0 && (
        <SaveBar
          complete={kind.isComplete(edit.draft)}
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
