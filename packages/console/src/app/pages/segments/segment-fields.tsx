import { useState } from 'preact/hooks'
import { TextField } from '../../components/fields.tsx'
import { ClauseList, newClause } from '../../targeting/clause-fields.tsx'
import { Guarded } from '../../targeting/guarded.tsx'
import { LinesField } from '../../targeting/target-fields.tsx'
import { texts } from '../../texts.ts'
import { type KeysOfKind, keysOfKind, type SegmentDraft, type SegmentRuleDraft } from './segment-draft.ts'

let count = 0

type Change = (edit: (draft: SegmentDraft) => SegmentDraft) => void

/** Edits the lists and rules by which contexts belong to a segment. */
export function SegmentFields({
  place,
  resource,
  draft,
  onChange,
}: {
  place: { readonly project: string; readonly environment: string }
  resource: string
  draft: SegmentDraft
  onChange: Change
}) {
  const { targeting, segments } = texts
  const [addedKinds, setAddedKinds] = useState<readonly string[]>([])
  const [newKind, setNewKind] = useState('')
  const stored = [...draft.included, ...draft.excluded].map(({ contextKind }) => contextKind)
  const kinds = [...new Set(['user', ...stored, ...addedKinds])]
  return (
    <>
      {(['included', 'excluded'] as const).map((part) => (
        <Guarded
          key={part}
          title={segments[part]}
          action={part === 'included' ? 'updateIncluded' : 'updateExcluded'}
          resource={resource}
        >
          {kinds.map((contextKind) => (
            <LinesField
              key={contextKind}
              label={segments.keysOf(contextKind)}
              help={targeting.targetHelp}
              values={keysOfKind(draft[part], contextKind)}
              onValues={(values) =>
                onChange((current) => ({ ...current, [part]: withKeys(current[part], contextKind, values) }))
              }
            />
          ))}
        </Guarded>
      ))}
      <div class="row">
        <TextField label={targeting.contextKind} value={newKind} onValue={setNewKind} />
        <button
          type="button"
          disabled={newKind.trim() === ''}
          onClick={() => {
            setAddedKinds([...addedKinds, newKind.trim()])
            setNewKind('')
          }}
        >
          {segments.addKind}
        </button>
      </div>
      <Guarded title={targeting.rules} action="updateRules" resource={resource}>
        <RuleList place={place} rules={draft.rules} onChange={onChange} />
      </Guarded>
    </>
  )
}

function withKeys(lists: readonly KeysOfKind[], contextKind: string, values: readonly string[]): readonly KeysOfKind[] {
  const others = lists.filter((list) => list.contextKind !== contextKind)
  return values.length === 0 ? others : [...others, { contextKind, values }]
}

function RuleList({
  place,
  rules,
  onChange,
}: {
  place: { readonly project: string; readonly environment: string }
  rules: readonly SegmentRuleDraft[]
  onChange: Change
}) {
  const { targeting, segments } = texts
  const change = (edit: (current: readonly SegmentRuleDraft[]) => readonly SegmentRuleDraft[]) =>
    onChange((draft) => ({ ...draft, rules: edit(draft.rules) }))
  return (
    <>
      <p class="quiet">{segments.ruleHelp}</p>
      {rules.map((rule, index) => {
        const name = targeting.rule(index + 1, rule.description)
        const set = (changes: Partial<SegmentRuleDraft>) =>
          change((current) => current.map((each) => (each.id === rule.id ? { ...each, ...changes } : each)))
        return (
          <fieldset key={rule.id} class="rule">
            <legend>{name}</legend>
            <TextField
              label={targeting.ruleDescription}
              value={rule.description}
              onValue={(description) => set({ description })}
            />
            <ClauseList place={place} clauses={rule.clauses} onChange={(clauses) => set({ clauses })} />
            <div class="row">
              <button
                type="button"
                class="danger"
                onClick={() => change((current) => current.filter(({ id }) => id !== rule.id))}
              >
                {targeting.removeRule(name)}
              </button>
            </div>
          </fieldset>
        )
      })}
      <button
        type="button"
        onClick={() =>
          change((current) => [...current, { id: `new-${count++}`, description: '', clauses: [newClause()] }])
        }
      >
        {segments.addRule}
      </button>
    </>
  )
}
