import { useCallback, useMemo } from 'preact/hooks'
import { SelectField, Switch } from '../components/fields.tsx'
import { texts } from '../texts.ts'
import type { TargetingDraft } from './draft.ts'
import { Guarded } from './guarded.tsx'
import { PrerequisiteFields } from './prerequisite-fields.tsx'
import { RuleFields } from './rule-fields.tsx'
import { ServeFields } from './serve-fields.tsx'
import { TargetFields } from './target-fields.tsx'
import { type VariationChoice, variationName } from './variation-name.ts'

/** The resource whose targeting is edited. */
export interface TargetingSubject {
  /** Address of the resource in the environment, e.g. `proj/web:env/production:flag/checkout`. */
  readonly resource: string
  readonly variations: readonly VariationChoice[]
  /** Key of the flag. Absent for an AI config, which has no prerequisites. */
  readonly flagKey?: string
  readonly archived?: boolean
  /** One action for the changes of all parts. Default: each part of a flag has its own action. */
  readonly action?: string
}

/**
 * Edits the targeting of a flag or an AI config. Every part can be changed by keyboard.
 *
 * @param onChange receives the function that changes the draft. `onChange` itself stays the same, so that a key press
 *   renders one rule only.
 */
export function TargetingEditor({
  place,
  subject: { resource, variations, flagKey, archived = false, action },
  draft,
  onChange,
}: {
  place: Readonly<Record<'project' | 'environment', string>>
  subject: TargetingSubject
  draft: TargetingDraft
  onChange: (edit: (draft: TargetingDraft) => TargetingDraft) => void
}) {
  const { targeting } = texts
  const onLabel = flagKey === undefined ? texts.aiConfigs.on : targeting.on
  const guard = (ofFlag: string) => ({ resource, archived, action: action ?? ofFlag })
  const change = (changes: Partial<TargetingDraft>) => onChange((current) => ({ ...current, ...changes }))
  const changeRules = useCallback(
    (edit: (rules: TargetingDraft['rules']) => TargetingDraft['rules']) =>
      onChange((current) => ({ ...current, rules: edit(current.rules) })),
    [onChange],
  )
  const rules = useMemo(
    () => <RuleFields place={place} variations={variations} rules={draft.rules} onChange={changeRules} />,
    [place, variations, draft.rules, changeRules],
  )
  const targets = useMemo(
    () => (
      <TargetFields variations={variations} targets={draft.targets} onChange={(next) => change({ targets: next })} />
    ),
    [variations, draft.targets, onChange],
  )
  return (
    <>
      <Guarded {...guard('updateOn')} title={onLabel} single>
        <Switch label={onLabel} checked={draft.on} onToggle={() => change({ on: !draft.on })} />
      </Guarded>
      {flagKey !== undefined && (
        <Guarded {...guard('updatePrerequisites')} title={targeting.prerequisites}>
          <PrerequisiteFields
            project={place.project}
            flag={flagKey}
            prerequisites={draft.prerequisites}
            onChange={(prerequisites) => change({ prerequisites })}
          />
        </Guarded>
      )}
      <Guarded {...guard('updateTargets')} title={targeting.targets}>
        {targets}
      </Guarded>
      <Guarded {...guard('updateRules')} title={targeting.rules}>
        {rules}
      </Guarded>
      <Guarded {...guard('updateFallthrough')} title={targeting.defaultRule} single>
        <p class="quiet">{targeting.defaultHelp}</p>
        <ServeFields
          label={targeting.defaultRule}
          variations={variations}
          serve={draft.fallthrough}
          onChange={(fallthrough) => change({ fallthrough })}
        />
      </Guarded>
      <Guarded {...guard('updateOffVariation')} title={targeting.offVariation} single>
        <OffVariation variations={variations} id={draft.offVariationId} onChange={change} />
      </Guarded>
    </>
  )
}

function OffVariation({
  variations,
  id,
  onChange,
}: {
  variations: readonly VariationChoice[]
  id: string | undefined
  onChange: (changes: Pick<TargetingDraft, 'offVariationId'>) => void
}) {
  return (
    <SelectField
      label={texts.targeting.offVariation}
      help={texts.targeting.offHelp}
      value={id ?? ''}
      onValue={(offVariationId) => onChange({ offVariationId })}
      options={[
        ...(id === undefined ? [['', texts.none] as const] : []),
        ...variations.map((variation) => [variation._id, variationName(variation)] as const),
      ]}
    />
  )
}
