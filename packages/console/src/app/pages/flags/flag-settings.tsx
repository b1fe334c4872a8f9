import { useState } from 'preact/hooks'
import { api, type Flag } from '../../api.ts'
import { CheckField, SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { readTags } from '../../components/json-text.ts'
import { MemberSearchField, useMemberSearch, useMembers } from '../../components/member-choice.tsx'
import { listAll } from '../../list-all.ts'
import { type FlagPlace, flagChange, flagTag } from '../../review/reviewed-change.ts'
import { type DraftKind, DraftPanel } from '../../targeting/draft-panel.tsx'
import { Guarded } from '../../targeting/guarded.tsx'
import type { Instruction } from '../../targeting/instructions-of.ts'
import { mergeProperties } from '../../targeting/merge-drafts.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

type SdkKind = keyof typeof texts.flag.sdkKinds

/** The settings of a flag in all environments. Tags are text as the person types them. */
interface SettingsDraft {
  readonly name: string
  readonly description: string
  readonly tags: string
  readonly temporary: boolean
  readonly availability: Readonly<Record<SdkKind, boolean>>
  /** Id of the member, or `team/` and the key of the team; empty without a maintainer. */
  readonly maintainer: string
}

const sdkKinds = Object.keys(texts.flag.sdkKinds) as SdkKind[]

function draftOf(flag: Flag): SettingsDraft {
  const { usingMobileKey, usingEnvironmentId } = flag.clientSideAvailability
  return {
    name: flag.name,
    description: flag.description ?? '',
    tags: flag.tags.join(', '),
    temporary: flag.temporary,
    availability: { usingMobileKey, usingEnvironmentId },
    maintainer: flag.maintainerTeamKey === undefined ? (flag.maintainerId ?? '') : `team/${flag.maintainerTeamKey}`,
  }
}

const names = {
  name: 'name',
  description: 'description',
  tags: 'tags',
  temporary: 'temporary',
  availability: 'availability',
  maintainer: 'maintainer',
} as const

const settingsDrafts: DraftKind<SettingsDraft> = {
  isComplete: ({ name }) => name.trim() !== '',
  instructionsOf: (before, after) => [
    ...(before.name === after.name ? [] : [{ kind: 'updateName', value: after.name }]),
    ...(before.description === after.description ? [] : [{ kind: 'updateDescription', value: after.description }]),
    ...tagInstructions(readTags(before.tags), readTags(after.tags)),
    ...(before.temporary === after.temporary
      ? []
      : [{ kind: after.temporary ? 'makeFlagTemporary' : 'makeFlagPermanent' }]),
    ...sdkKinds
      .filter((sdk) => before.availability[sdk] !== after.availability[sdk])
      .map((sdk) => ({
        kind: after.availability[sdk] ? 'turnOnClientSideAvailability' : 'turnOffClientSideAvailability',
        value: sdk,
      })),
    ...(before.maintainer === after.maintainer ? [] : [maintainerInstruction(after.maintainer)]),
  ],
  merge: (versions, keep) => mergeProperties(names, versions, keep),
}

function tagInstructions(before: readonly string[], after: readonly string[]): Instruction[] {
  return [
    { kind: 'removeTags', values: before.filter((tag) => !after.includes(tag)) },
    { kind: 'addTags', values: after.filter((tag) => !before.includes(tag)) },
  ].filter(({ values }) => values.length > 0)
}

function maintainerInstruction(maintainer: string): Instruction {
  if (maintainer === '') return { kind: 'removeMaintainer' }
  return maintainer.startsWith('team/')
    ? { kind: 'updateMaintainerTeam', value: maintainer.slice('team/'.length) }
    : { kind: 'updateMaintainerMember', value: maintainer }
}

/** The name, description, tags and other settings of a flag, which are the same in all environments. */
export function FlagSettings({ place, flag }: { place: FlagPlace; flag: Flag }) {
  return (
    <DraftPanel
      title={texts.flag.settingsTitle}
      kind={settingsDrafts}
      stored={draftOf(flag)}
      tag={flagTag(place.project, place.flag)}
      editor={(draft, onChange) => (
        <SettingsFields place={place} archived={flag.archived} draft={draft} onChange={onChange} />
      )}
      changeOf={(instructions, tag) => flagChange(place, instructions, tag)}
    />
  )
}

function SettingsFields({
  place,
  archived,
  draft,
  onChange,
}: {
  place: FlagPlace
  archived: boolean
  draft: SettingsDraft
  onChange: (edit: (draft: SettingsDraft) => SettingsDraft) => void
}) {
  const { flag } = texts
  const guard = (action: string) => ({
    action,
    resource: `proj/${place.project}:env/*:flag/${place.flag}`,
    archived,
    single: true,
  })
  const change = (changes: Partial<SettingsDraft>) => onChange((current) => ({ ...current, ...changes }))
  return (
    <>
      <Guarded {...guard('updateName')} title={texts.name}>
        <TextField label={texts.name} value={draft.name} onValue={(name) => change({ name })} required />
      </Guarded>
      <Guarded {...guard('updateDescription')} title={texts.description}>
        <TextArea
          label={texts.description}
          value={draft.description}
          onValue={(description) => change({ description })}
        />
      </Guarded>
      <Guarded {...guard('updateTags')} title={texts.tags}>
        <TextField label={texts.tags} help={texts.tagsHelp} value={draft.tags} onValue={(tags) => change({ tags })} />
      </Guarded>
      <Guarded {...guard('updateMaintainer')} title={flag.maintainer}>
        <MaintainerField value={draft.maintainer} onValue={(maintainer) => change({ maintainer })} />
      </Guarded>
      <Guarded {...guard('updateTemporary')} title={texts.flags.type}>
        <CheckField
          label={texts.flags.temporary}
          checked={draft.temporary}
          onChecked={(temporary) => change({ temporary })}
        />
      </Guarded>
      <Guarded {...guard('updateClientSideFlagAvailability')} title={flag.sdks}>
        {sdkKinds.map((sdk) => (
          <CheckField
            key={sdk}
            label={flag.sdkKinds[sdk]}
            checked={draft.availability[sdk]}
            onChecked={(checked) =>
              onChange((current) => ({ ...current, availability: { ...current.availability, [sdk]: checked } }))
            }
          />
        ))}
      </Guarded>
    </>
  )
}

/**
 * Chooses a member or a team; in an account with many members, one that a search finds. The current maintainer stays a
 * choice when the person may not view it.
 */
function MaintainerField({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const [words, setWords] = useState('')
  const { members, isLong } = useMemberSearch(words)
  const teams = useQuery('maintaining teams', () => listAll((page) => api.listTeams(page)).catch(() => []))
  const options = [
    ...members.map(({ _id, email }) => [_id, email] as const),
    ...(teams.data ?? []).map(({ key, name }) => [`team/${key}`, texts.flag.maintainingTeam(name ?? key)] as const),
  ]
  const isMissing = value !== '' && !options.some(([id]) => id === value)
  const [maintainer] = useMembers(isMissing && !value.startsWith('team/') ? [value] : [])
  const missing = isMissing ? [[value, maintainer?.email ?? value] as const] : []
  return (
    <>
      {isLong && <MemberSearchField words={words} onWords={setWords} />}
      <SelectField
        label={texts.flag.maintainer}
        value={value}
        onValue={onValue}
        options={[['', texts.none], ...missing, ...options]}
      />
    </>
  )
}
