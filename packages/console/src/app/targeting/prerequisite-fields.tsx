import { useId } from 'preact/hooks'
import { api } from '../api.ts'
import { SelectField } from '../components/fields.tsx'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import type { PrerequisiteDraft } from './draft.ts'
import { variationName } from './variation-name.ts'

/** Edits the flags that must serve a variation first. */
export function PrerequisiteFields({
  project,
  flag,
  prerequisites,
  onChange,
}: {
  project: string
  flag: string
  prerequisites: readonly PrerequisiteDraft[]
  onChange: (prerequisites: readonly PrerequisiteDraft[]) => void
}) {
  const set = (index: number, changes: Partial<PrerequisiteDraft>) =>
    onChange(prerequisites.map((each, other) => (other === index ? { ...each, ...changes } : each)))
  return (
    <>
      <p class="quiet">{texts.targeting.prerequisitesHelp}</p>
      {prerequisites.map((prerequisite, index) => (
        <div key={index} class="clause">
          <PrerequisiteField
            project={project}
            flag={flag}
            prerequisite={prerequisite}
            onChange={(changes) => set(index, changes)}
          />
          <button type="button" onClick={() => onChange(prerequisites.filter((_, other) => other !== index))}>
            {texts.targeting.removePrerequisite(prerequisite.key)}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...prerequisites, { key: '', variationId: '' }])}>
        {texts.targeting.addPrerequisite}
      </button>
    </>
  )
}

function PrerequisiteField({
  project,
  flag,
  prerequisite,
  onChange,
}: {
  project: string
  flag: string
  prerequisite: PrerequisiteDraft
  onChange: (changes: Partial<PrerequisiteDraft>) => void
}) {
  const { key, variationId } = prerequisite
  const id = useId()
  const filter = key === '' ? {} : { filter: `query:${key.replace(/[,:+]/g, ' ')}` }
  const flags = useQuery(`prerequisite choices ${project} ${key}`, () =>
    api.listFlags({ projectKey: project, limit: 20, ...filter }),
  )
  const choices = (flags.data?.items ?? []).filter((each) => each.key !== flag)
  const chosen = choices.find((each) => each.key === key)
  return (
    <>
      <div class="field">
        <label for={id}>{texts.targeting.prerequisiteFlag}</label>
        <input
          id={id}
          list={`${id}-choices`}
          value={key}
          onInput={(event) => onChange({ key: event.currentTarget.value, variationId: '' })}
        />
        <datalist id={`${id}-choices`}>
          {choices.map((each) => (
            <option key={each.key} value={each.key}>
              {each.name}
            </option>
          ))}
        </datalist>
      </div>
      <SelectField
        label={texts.targeting.prerequisiteVariation}
        value={variationId}
        onValue={(value) => onChange({ variationId: value })}
        options={[
          ['', texts.none],
          ...(chosen?.variations ?? []).map((variation) => [variation._id, variationName(variation)] as const),
        ]}
      />
    </>
  )
}
