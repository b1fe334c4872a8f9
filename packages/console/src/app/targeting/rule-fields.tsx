import { useMemo, useRef, useState } from 'preact/hooks'
import { TextField } from '../components/fields.tsx'
import { announce } from '../notices.ts'
import type { FlagPlace } from '../review/reviewed-change.ts'
import { texts } from '../texts.ts'
import { ClauseList, newClause } from './clause-fields.tsx'
import type { RuleDraft } from './draft.ts'
import { ServeFields } from './serve-fields.tsx'
import type { VariationChoice } from './variation-name.ts'

let count = 0

type ChangeRules = (edit: (rules: readonly RuleDraft[]) => readonly RuleDraft[]) => void

/** Returns the rules with one of them at another position; the same list when there is no such position. */
function moved(rules: readonly RuleDraft[], from: number, to: number): readonly RuleDraft[] {
  const rule = rules[from]
  if (!rule || to < 0 || to >= rules.length || from === to) return rules
  const others = rules.filter((_, index) => index !== from)
  return [...others.slice(0, to), rule, ...others.slice(to)]
}

/** The positions from which and to which a rule moves. */
interface RuleMove {
  readonly from: number
  readonly to: number
}

/** Moves a rule, and announces the move to screen readers. */
function move(onChange: ChangeRules, rule: RuleDraft | undefined, { from, to }: RuleMove): void {
  if (!rule || from === to) return
  onChange((rules) => moved(rules, from, to))
  announce(texts.targeting.moved(texts.targeting.rule(from + 1, rule.description), to + 1))
}

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
  onChange: ChangeRules
}) {
  const dragged = useRef<number | undefined>(undefined)
  const [dropping, setDropping] = useState<number | undefined>(undefined)
  const [variation] = variations
  const add = () =>
    onChange((current) => [
      ...current,
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
            if (dragged.current !== undefined)
              move(onChange, rules[dragged.current], { from: dragged.current, to: index })
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
            onChange={onChange}
          />
        </fieldset>
      ))}
      <button type="button" onClick={add}>
        {texts.targeting.addRule}
      </button>
    </>
  )
}

/** Edits a rule. It is rendered only when the rule itself or its position changes: a flag can have many rules. */
function OneRule({
  place,
  variations,
  rule,
  index,
  last,
  onChange,
}: {
  place: Pick<FlagPlace, 'project' | 'environment'>
  variations: readonly VariationChoice[]
  rule: RuleDraft
  index: number
  last: boolean
  onChange: ChangeRules
}) {
  const { targeting } = texts
  return useMemo(() => {
    const name = targeting.rule(index + 1, rule.description)
    const change = (changes: Partial<RuleDraft>) =>
      onChange((rules) => rules.map((each) => (each.id === rule.id ? { ...each, ...changes } : each)))
    return (
      <>
        <TextField
          label={targeting.ruleDescription}
          value={rule.description}
          onValue={(description) => change({ description })}
        />
        <ClauseList place={place} clauses={rule.clauses} onChange={(clauses) => change({ clauses })} />
        <ServeFields
          label={targeting.serve}
          variations={variations}
          serve={rule.serve}
          onChange={(serve) => change({ serve })}
        />
        <div class="row">
          <button
            type="button"
            disabled={index === 0}
            onClick={() => move(onChange, rule, { from: index, to: index - 1 })}
          >
            {targeting.moveUp(name)}
          </button>
          <button type="button" disabled={last} onClick={() => move(onChange, rule, { from: index, to: index + 1 })}>
            {targeting.moveDown(name)}
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => onChange((rules) => rules.filter(({ id }) => id !== rule.id))}
          >
            {targeting.removeRule(name)}
          </button>
        </div>
      </>
    )
  }, [place, variations, rule, index, last, onChange])
}
