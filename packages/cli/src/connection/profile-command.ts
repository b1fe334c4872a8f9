import { usageError } from '../cli-error.ts'
import type { Command, Terminal } from '../command.ts'
import { describeOptions, type OptionDeclaration, readOptions } from '../options.ts'
import { withoutPassword } from '../without-password.ts'
import { editProfiles, type Profile, profileSettings, readProfiles } from './profiles.ts'

const settings = {
  url: { type: 'string', help: 'address of the server' },
  token: { type: 'string', help: 'access token; it is never printed' },
  storage: { type: 'string', help: 'storage to open in this process, instead of a server' },
  account: { type: 'string', help: 'account of the storage' },
  project: { type: 'string', help: 'project of commands that name none' },
  environment: { type: 'string', help: 'environment of commands that name none' },
  output: { type: 'string', help: 'table, json or yaml' },
} as const satisfies Record<keyof Profile, OptionDeclaration>

type Change = (file: Awaited<ReturnType<typeof readProfiles>>, name: string) => void

/** The commands that edit profiles: presets of the options that every command of an operation has. */
export const profileCommands: Readonly<Record<string, Command>> = {
  'profile list': {
    usage: 'profile list',
    summary: 'list the profiles; the current one is marked with *',
    options: [],
    async run(args, terminal) {
      if (args.length > 0) throw usageError('the command has no arguments')
      const { current, profiles } = await readProfiles(terminal.env)
      for (const [name, profile] of Object.entries(profiles)) {
        terminal.stdout.write(`${name === current ? '*' : ' '} ${name} ${summaryOf(profile)}\n`)
      }
    },
  },
  'profile set': {
    usage: 'profile set <name> [options]',
    summary: 'create a profile or change its presets; an empty value removes one',
    options: describeOptions(settings),
    async run(args, terminal) {
      const { values, positionals } = readOptions(settings, args, {})
      await edit(positionals, terminal, (file, name) => {
        const givenEntries = Object.entries(values).filter(([, value]) => value !== undefined)
        const merged = { ...file.profiles[name], ...Object.fromEntries(givenEntries) }
        file.profiles[name] = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
        file.current ??= name
      })
    },
  },
  'profile use': changeCommand('use', 'use a profile in commands that name none', (file, name) => {
    requireProfile(file, name)
    file.current = name
  }),
  'profile remove': changeCommand('remove', 'remove a profile', (file, name) => {
    requireProfile(file, name)
    delete file.profiles[name]
    if (file.current === name) delete file.current
  }),
}

function changeCommand(verb: string, summary: string, change: Change): Command {
  return {
    usage: `profile ${verb} <name>`,
    summary,
    options: [],
    run: (args, terminal) => edit(args, terminal, change),
  }
}

async function edit([name, ...rest]: readonly string[], { env }: Terminal, change: Change): Promise<void> {
  if (name === undefined || rest.length > 0) throw usageError('the command needs the name of a profile')
  await editProfiles(env, (file) => change(file, name))
}

function requireProfile({ profiles }: { profiles: object }, name: string): void {
  if (!Object.hasOwn(profiles, name)) throw usageError(`no profile has the name "${name}"`)
}

/** Returns the presets in one line; a token or the password of a storage is not a part of it. */
function summaryOf(profile: Profile): string {
  const parts = profileSettings.flatMap((name) => {
    const value = profile[name]
    if (value === undefined) return []
    return [name === 'token' ? 'token=(set)' : `${name}=${withoutPassword(value)}`]
  })
  return parts.join(' ')
}
