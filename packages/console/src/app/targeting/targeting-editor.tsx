import type { ComponentChildren } from 'preact'
import type { Flag } from '../api.ts'
import { WhyNot } from '../components/action-button.tsx'
import { SelectField, Switch } from '../components/fields.tsx'
import type { FlagPlace } from '../review/review-dialog.tsx'
import { rightTo } from '../rights.ts'
import { texts } from '../texts.ts'
import type { TargetingDraft } from './draft.ts'
import { PrerequisiteFields } from './prerequisite-fields.tsx'
import { RuleFields } from './rule-fields.tsx'
import { ServeFields } from './serve-fields.tsx'
import { TargetFields } from './target-fields.tsx'
import { variationName } from './variation-name.ts'

/** Edits the targeting of a flag. Every part can be changed by keyboard. */
export function TargetingEditor({
  place,
  flag,
  draft,
  onChange,
}: {
  place: FlagPlace
  flag: Flag
  draft: TargetingDraft
  onChange: (draft: TargetingDraft) => void
}) {
  const resource = `proj/${place.project}:env/${place.environment}:flag/${place.flag}`
  const { targeting } = texts
  const { variations } = flag
  const guard = { resource, archived: flag.archived }
  const change = (changes: Partial<TargetingDraft>) => onChange({ ...draft, ...changes })
  return (
    <>
      <Guarded {...guard} title={targeting.on} action="updateOn">
        <Switch label={targeting.on} checked={draft.on} onToggle={() => change({ on: !draft.on })} />
      </Guarded>
      <Guarded {...guard} title={targeting.prerequisites} action="updatePrerequisites">
        <PrerequisiteFields
          project={place.project}
          flag={flag.key}
          prerequisites={draft.prerequisites}
          onChange={(prerequisites) => change({ prerequisites })}
        />
      </Guarded>
      <Guarded {...guard} title={targeting.targets} action="updateTargets">
        <TargetFields variations={variations} targets={draft.targets} onChange={(targets) => change({ targets })} />
      </Guarded>
      <Guarded {...guard} title={targeting.rules} action="updateRules">
        <RuleFields place={place} variations={variations} rules={draft.rules} onChange={(rules) => change({ rules })} />
      </Guarded>
      <Guarded {...guard} title={targeting.defaultRule} action="updateFallthrough">
        <p class="quiet">{targeting.defaultHelp}</p>
        <ServeFields
          label={targeting.defaultRule}
          variations={variations}
          serve={draft.fallthrough}
          onChange={(fallthrough) => change({ fallthrough })}
        />
      </Guarded>
      <Guarded {...guard} title={targeting.offVariation} action="updateOffVariation">
        <SelectField
          label={targeting.offVariation}
          help={targeting.offHelp}
          value={draft.offVariationId ?? ''}
          onValue={(offVariationId) => change({ offVariationId })}
          options={[
            ...(draft.offVariationId === undefined ? [['', texts.none] as const] : []),
            ...variations.map((variation) => [variation._id, variationName(variation)] as const),
          ]}
        />
      </Guarded>
    </>
  )
}

/** A part that can be changed by people who may do so, or who may ask for the approval of the change. */
function Guarded({
  title,
  action,
  resource,
  archived,
  children,
}: {
  title: string
  action: string
  resource: string
  archived: boolean
  children: ComponentChildren
}) {
  const right = rightTo(action, resource).value
  const mayAsk = rightTo('createApprovalRequest', resource).value?.allowed ?? false
  const editable = !archived && ((right?.allowed ?? false) || mayAsk)
  return (
    <>
      <fieldset disabled={!editable} data-action={action}>
        <legend>{title}</legend>
        {children}
      </fieldset>
      {right && !right.allowed && <WhyNot label={title} text={right.text} nearMisses={right.nearMisses} />}
    </>
  )
}
