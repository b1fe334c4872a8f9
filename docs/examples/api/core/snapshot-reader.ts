import { type SnapshotReaderOptions, snapshotReader } from '@halyard/core/evaluation'

export async function isOn(options: SnapshotReaderOptions, flagKey: string, userKey: string) {
  const flags = snapshotReader(options)
  await flags.refresh()
  return flags.evaluate(flagKey, { kind: 'user', key: userKey }, false).value
}
