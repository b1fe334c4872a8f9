import { CheckField, SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { MemberChoice } from '../../components/member-choice.tsx'
import { ServeFields } from '../../targeting/serve-fields.tsx'
import { type VariationChoice, variationName } from '../../targeting/variation-name.ts'
import { texts } from '../../texts.ts'
import {
  type ActionDraft,
  type ConditionDraft,
  newAction,
  newCondition,
  newStage,
  readInstructions,
  type StageDraft,
  type WaitUnit,
} from './stage-draft.ts'

type Variations = readonly VariationChoice[]

const { workflows } = texts

/** Returns the entries of a table of texts as choices. */
function choicesOf<Value extends string>(names: Readonly<Record<Value, string>>): (readonly [Value, string])[] {
  return Object.entries(names) as [Value, string][]
}

/** Returns a list with another item at an index. */
function withItem<Item>(items: readonly Item[], index: number, item: Item): readonly Item[] {
  return items.map((other, position) => (position === index ? item : other))
}

/** Returns a list without the item at an index. */
function withoutItem<Item>(items: readonly Item[], index: number): readonly Item[] {
  return items.filter((_, position) => position !== index)
}

/** Edits the ordered stages of a workflow. Stages, conditions and actions have no ids, so their positions are their keys. */
export function StageFields({
  variations,
  stages,
  onChange,
}: {
  variations: Variations
  stages: readonly StageDraft[]
  onChange: (stages: readonly StageDraft[]) => void
}) {
  const [first] = variations
  return (
    <>
      {stages.map((stage, index) => (
        <fieldset key={index}>
          <legend>{workflows.stage(index + 1, stage.name)}</legend>
          <OneStage
            variations={variations}
            stage={stage}
            onChange={(changed) => onChange(withItem(stages, index, changed))}
          />
          {stages.length > 1 && (
            <button type="button" onClick={() => onChange(withoutItem(stages, index))}>
              {workflows.removeStage(index + 1)}
            </button>
          )}
        </fieldset>
      ))}
      <div class="row">
        <button type="button" onClick={() => onChange([...stages, newStage(first?._id ?? '')])}>
          {workflows.addStage}
        </button>
      </div>
    </>
  )
}

function OneStage({
  variations,
  stage,
  onChange,
}: {
  variations: Variations
  stage: StageDraft
  onChange: (stage: StageDraft) => void
}) {
  const { name, inSequence, conditions, actions } = stage
  const [first] = variations
  const set = (changes: Partial<StageDraft>) => onChange({ ...stage, ...changes })
  return (
    <>
      <TextField label={workflows.stageName} value={name} onValue={(value) => set({ name: value })} />
      {conditions.map((condition, index) => (
        <fieldset key={index} class="clause">
          <ConditionFields
            index={index}
            condition={condition}
            onChange={(changed) => set({ conditions: withItem(conditions, index, changed) })}
          />
          <button type="button" onClick={() => set({ conditions: withoutItem(conditions, index) })}>
            {workflows.removeCondition(index + 1)}
          </button>
        </fieldset>
      ))}
      {conditions.length > 1 && (
        <CheckField
          label={workflows.sequenceField}
          checked={inSequence}
          onChecked={(checked) => set({ inSequence: checked })}
        />
      )}
      <div class="row">
        <button type="button" onClick={() => set({ conditions: [...conditions, newCondition()] })}>
          {workflows.addCondition}
        </button>
      </div>
      {actions.map((action, index) => (
        <div key={index} class="entry">
          <ActionFields
            index={index}
            variations={variations}
            action={action}
            onChange={(changed) => set({ actions: withItem(actions, index, changed) })}
          />
          {actions.length > 1 && (
            <button type="button" onClick={() => set({ actions: withoutItem(actions, index) })}>
              {workflows.removeAction(index + 1)}
            </button>
          )}
        </div>
      ))}
      <div class="row">
        <button type="button" onClick={() => set({ actions: [...actions, newAction(first?._id ?? '')] })}>
          {workflows.addAction}
        </button>
      </div>
    </>
  )
}

function ConditionFields({
  index,
  condition,
  onChange,
}: {
  index: number
  condition: ConditionDraft
  onChange: (condition: ConditionDraft) => void
}) {
  const { kind, wait, unit, date, reason, memberIds, teams } = condition
  const set = (changes: Partial<ConditionDraft>) => onChange({ ...condition, ...changes })
  return (
    <>
      <SelectField
        label={workflows.condition(index + 1)}
        value={kind}
        onValue={(value) => set({ kind: value })}
        options={choicesOf(workflows.conditionKinds)}
      />
      {kind === 'wait' && (
        <>
          <TextField
            label={workflows.wait}
            value={wait}
            onValue={(value) => set({ wait: value })}
            pattern="[0-9]+"
            required
          />
          <SelectField<WaitUnit>
            label={workflows.unit}
            value={unit}
            onValue={(value) => set({ unit: value })}
            options={choicesOf(workflows.units)}
          />
        </>
      )}
      {kind === 'date' && (
        <TextField
          label={workflows.date}
          type="datetime-local"
          value={date}
          onValue={(value) => set({ date: value })}
          required
        />
      )}
      {kind === 'approval' && (
        <>
          <TextField label={workflows.reason} value={reason} onValue={(value) => set({ reason: value })} />
          <MemberChoice legend={workflows.members} chosen={memberIds} onChange={(ids) => set({ memberIds: ids })} />
          <TextArea
            label={workflows.teams}
            help={texts.linesHelp}
            value={teams}
            onValue={(value) => set({ teams: value })}
            rows={2}
          />
        </>
      )}
    </>
  )
}

function ActionFields({
  index,
  variations,
  action,
  onChange,
}: {
  index: number
  variations: Variations
  action: ActionDraft
  onChange: (action: ActionDraft) => void
}) {
  const { kind, serve, offVariationId, text } = action
  const set = (changes: Partial<ActionDraft>) => onChange({ ...action, ...changes })
  const isInvalid = kind === 'other' && text !== '' && readInstructions(text) === undefined
  return (
    <>
      <SelectField
        label={workflows.action(index + 1)}
        value={kind}
        onValue={(value) => set({ kind: value })}
        options={choicesOf(workflows.actionKinds)}
      />
      {kind === 'serve' && (
        <ServeFields
          label={texts.targeting.defaultRule}
          variations={variations}
          serve={serve}
          onChange={(value) => set({ serve: value })}
        />
      )}
      {kind === 'serveOff' && (
        <SelectField
          label={texts.targeting.offVariation}
          value={offVariationId}
          onValue={(value) => set({ offVariationId: value })}
          options={variations.map((variation) => [variation._id, variationName(variation)] as const)}
        />
      )}
      {kind === 'other' && (
        <TextArea
          label={workflows.instructions}
          help={workflows.instructionsHelp}
          error={isInvalid ? workflows.mustBeList : undefined}
          value={text}
          onValue={(value) => set({ text: value })}
          rows={4}
          code
        />
      )}
    </>
  )
}
