import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { usageError } from '../cli-error.ts'
import type { Environment } from '../options.ts'

const profileSchema = v.strictObject({
  url: v.optional(v.string()),
  token: v.optional(v.string()),
  storage: v.optional(v.string()),
  account: v.optional(v.string()),
  project: v.optional(v.string()),
  environment: v.optional(v.string()),
  output: v.optional(v.picklist(['table', 'json', 'yaml'])),
})

/** Presets of the options that every command of an operation has. */
export type Profile = v.InferOutput<typeof profileSchema>

/** Names of the presets, in the order in which they are listed. */
export const profileSettings = Object.keys(profileSchema.entries) as readonly (keyof Profile)[]

const fileSchema = v.strictObject({
  /** Name of the profile that commands use unless they name another. */
  current: v.optional(v.string()),
  profiles: v.record(v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/)), profileSchema),
})

/** The content of the file with profiles. */
export type ProfileFile = v.InferOutput<typeof fileSchema>

/** Returns the path of the file with profiles. */
export function profilePath(env: Environment): string {
  const folder = env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config')
  return path.join(folder, 'halyard', 'profiles.json')
}

/**
 * Reads the file with profiles. Without a file the result has no profiles.
 *
 * @throws CliError naming the file when it is invalid.
 */
export async function readProfiles(env: Environment): Promise<ProfileFile> {
  const file = profilePath(env)
  let content: string
  try {
    content = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw usageError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
  try {
    return v.parse(fileSchema, JSON.parse(content))
  } catch {
    // The error of the parser could quote a token.
    throw usageError(`${file} is not a valid file of profiles`)
  }
}

/** Time in ms after which a draft is removed, because the process that was writing it has ended. */
const abandonedMs = 10_000

/**
 * Changes the file with profiles. Only its owner can read it, because it may contain tokens. Processes that change it
 * at the same time do so one after another.
 *
 * @param change changes the content in place; if it throws, the file stays unchanged.
 * @throws CliError when the changed content is not valid.
 */
export async function editProfiles(env: Environment, change: (content: ProfileFile) => void): Promise<void> {
  const file = profilePath(env)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  // Only one process can create the draft. The other processes wait until that process has replaced the file.
  const draft = `${file}.part`
  const handle = await createAlone(draft)
  try {
    const content = await readProfiles(env)
    change(content)
    const parsed = v.safeParse(fileSchema, content)
    if (!parsed.success) throw usageError(`the profile is not valid: ${parsed.issues[0].message}`)
    await handle.writeFile(`${JSON.stringify(parsed.output, undefined, 2)}\n`)
    await handle.close()
    await rename(draft, file)
  } catch (error) {
    await handle.close()
    await rm(draft, { force: true })
    throw error
  }
}

/** Creates a file. Waits while there is one that another process created. */
async function createAlone(file: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(file, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const created = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - created > abandonedMs) await rm(file, { force: true })
    else await setTimeout(10)
  }
}

/**
 * Returns the profile that a command uses.
 *
 * @param name name of the profile; default: the current one.
 * @throws CliError when no profile has the name.
 */
export async function profileOf(name: string | undefined, env: Environment): Promise<Profile> {
  const { current, profiles } = await readProfiles(env)
  const selected = name ?? current
  if (selected === undefined) return {}
  const profile = Object.hasOwn(profiles, selected) ? profiles[selected] : undefined
  if (!profile) throw usageError(`--profile: no profile has the name "${selected}"`)
  return profile
}
