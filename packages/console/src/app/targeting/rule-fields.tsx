import { useRef, useState } from 'preact/hooks'
import { TextField } from '../components/fields.tsx'
import { announce } from '../notices.ts'
import type { FlagPlace } from '../review/review-dialog.tsx'
import { texts } from '../texts.ts'
import { ClauseList, newClause } from './clause-fields.tsx'
import type { RuleDraft } from './draft.ts'
import { ServeFields } from './serve-fields.tsx'
import type { VariationChoice } from './variation-name.ts'

let count = 0

/** Edits the ordered rules. A rule is moved by its buttons or by dragging. */
export function RuleFields({
  place,
  variations,
  rules,
  onChange,
}: {
  place: Pick<FlagPlace, 'project' | 'environment'>
  variations: readonly VariationChoice[]
  rules: readonly RuleDraft[]
  onChange: (rules: readonly RuleDraft[]) => void
}) {
  const dragged = useRef<number | undefined>(undefined)
  const [dropping, setDropping] = useState<number | undefined>(undefined)
  const move = (from: number, to: number) => {
    const rule = rules[from]
    if (!rule || to < 0 || to >= rules.length || from === to) return
    const others = rules.filter((_, index) => index !== from)
    onChange([...others.slice(0, to), rule, ...others.slice(to)])
    announce(texts.targeting.moved(texts.targeting.rule(from + 1, rule.description), to + 1))
  }
  const [variation] = variations
  const add = () =>
    onChange([
      ...rules,
      { id: `new-${count++}`, description: '', clauses: [newClause()], serve: { variationId: variation?._id ?? '' } },
    ])
  return (
    <>
      <p class="quiet">{texts.targeting.rulesHelp}</p>
      {rules.map((rule, index) => (
        <fieldset
          key={rule.id}
          class={dropping === index ? 'rule dropping' : 'rule'}
          draggable
          onDragStart={(event) => {
            // Text that is selected in a field is dragged as text.
            if (event.target !== event.currentTarget) return
            dragged.current = index
          }}
          onDragOver={(event) => {
            if (dragged.current === undefined) return
            event.preventDefault()
            setDropping(index)
          }}
          onDragEnd={() => setDropping(undefined)}
          onDrop={(event) => {
            event.preventDefault()
            setDropping(undefined)
            if (dragged.current !== undefined) move(dragged.current, index)
            dragged.current = undefined
          }}
        >
          <legend>{texts.targeting.rule(index + 1, rule.description)}</legend>
          <OneRule
            place={place}
            variations={variations}
            rule={rule}
            index={index}
            last={index === rules.length - 1}
            onChange={(changed) => onChange(rules.map((each) => (each.id === rule.id ? changed : each)))}
            onMove={(to) => move(index, to)}
            onRemove={() => onChange(rules.filter(({ id }) => id !== rule.id))}
          />
        </fieldset>
      ))}
      <button type="button" onClick={add}>
        {texts.targeting.addRule}
      </button>
    </>
  )
}

function OneRule({
  place,
  variations,
  rule,
  index,
  last,
  onChange,
  onMove,
  onRemove,
}: {
  place: Pick<FlagPlace, 'project' | 'environment'>
  variations: readonly VariationChoice[]
  rule: RuleDraft
  index: number
  last: boolean
  onChange: (rule: RuleDraft) => void
  onMove: (to: number) => void
  onRemove: () => void
}) {
  const { targeting } = texts
  const name = targeting.rule(index + 1, rule.description)
  return (
    <>
      <TextField
        label={targeting.ruleDescription}
        value={rule.description}
        onValue={(description) => onChange({ ...rule, description })}
      />
      <ClauseList place={place} clauses={rule.clauses} onChange={(clauses) => onChange({ ...rule, clauses })} />
      <ServeFields
        label={targeting.serve}
        variations={variations}
        serve={rule.serve}
        onChange={(serve) => onChange({ ...rule, serve })}
      />
      <div class="row">
        <button type="button" disabled={index === 0} onClick={() => onMove(index - 1)}>
          {targeting.moveUp(name)}
        </button>
        <button type="button" disabled={last} onClick={() => onMove(index + 1)}>
          {targeting.moveDown(name)}
        </button>
        <button type="button" class="danger" onClick={onRemove}>
          {targeting.removeRule(name)}
        </button>
      </div>
    </>
  )
}
