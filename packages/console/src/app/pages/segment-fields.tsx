import type { ComponentChildren } from 'preact'
import { WhyNot } from '../components/action-button.tsx'
import { rightTo } from '../rights.ts'
import { ClauseList, newClause } from '../targeting/clause-fields.tsx'
import { LinesField } from '../targeting/target-fields.tsx'
import { texts } from '../texts.ts'
import type { SegmentDraft } from './segment-draft.ts'

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
  onChange: (draft: SegmentDraft) => void
}) {
  const { targeting, segments } = texts
  const setRules = (rules: SegmentDraft['rules']) => onChange({ ...draft, rules })
  return (
    <>
      {(['included', 'excluded'] as const).map((part) => (
        <Guarded
          key={part}
          title={segments[part]}
          action={part === 'included' ? 'updateIncluded' : 'updateExcluded'}
          resource={resource}
        >
          <LinesField
            label={segments[part]}
            help={targeting.targetHelp}
            values={draft[part]}
            onValues={(values) => onChange({ ...draft, [part]: values })}
          />
        </Guarded>
      ))}
      <Guarded title={targeting.rules} action="updateRules" resource={resource}>
        <p class="quiet">{segments.ruleHelp}</p>
        {draft.rules.map((rule, index) => {
          const name = targeting.rule(index + 1, rule.description ?? '')
          return (
            <fieldset key={rule._id ?? index}>
              <legend>{name}</legend>
              <ClauseList
                place={place}
                clauses={rule.clauses}
                onChange={(clauses) =>
                  setRules(draft.rules.map((each, other) => (other === index ? { ...each, clauses } : each)))
                }
              />
              <button type="button" onClick={() => setRules(draft.rules.filter((_, other) => other !== index))}>
                {targeting.removeRule(name)}
              </button>
            </fieldset>
          )
        })}
        <button type="button" onClick={() => setRules([...draft.rules, { clauses: [newClause()] }])}>
          {segments.addRule}
        </button>
      </Guarded>
    </>
  )
}

function Guarded({
  title,
  action,
  resource,
  children,
}: {
  title: string
  action: string
  resource: string
  children: ComponentChildren
}) {
  const right = rightTo(action, resource).value
  return (
    <>
      <fieldset disabled={!right?.allowed} data-action={action} data-resource={resource}>
        <legend>{title}</legend>
        {children}
      </fieldset>
      {right && !right.allowed && <WhyNot label={title} action={action} resource={resource} right={right} />}
    </>
  )
}
