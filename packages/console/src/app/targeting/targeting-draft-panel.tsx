import type { ReviewedChange } from '../review/reviewed-change.ts'
import type { TargetingDraft } from './draft.ts'
import { type DraftKind, DraftPanel } from './draft-panel.tsx'
import { type Instruction, instructionsOf } from './instructions-of.ts'
import { isComplete } from './is-complete.ts'
import { mergeDrafts } from './merge-drafts.ts'
import { TargetingEditor, type TargetingSubject } from './targeting-editor.tsx'

const targetingDrafts: DraftKind<TargetingDraft> = { instructionsOf, isComplete, merge: mergeDrafts }

/**
 * Edits the targeting of a flag or an AI config in an environment.
 *
 * @param stored the targeting that the API returned last, with its entity tag.
 * @param changeOf returns the change that the instructions make to the state with an entity tag.
 */
export function TargetingDraftPanel({
  place,
  subject,
  ...panel
}: {
  title: string
  place: Readonly<Record<'project' | 'environment', string>>
  subject: TargetingSubject
  stored: TargetingDraft
  tag: string | undefined
  changeOf: (instructions: readonly Instruction[], tag: string | undefined) => ReviewedChange
}) {
  return (
    <DraftPanel
      {...panel}
      kind={targetingDrafts}
      editor={(draft, onChange) => (
        <TargetingEditor place={place} subject={subject} draft={draft} onChange={onChange} />
      )}
    />
  )
}
