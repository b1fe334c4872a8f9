import { applyPlan, FlagsConflict, type FlagsPlan, type FlagsTarget } from '@halyard/import'

export async function applyOnce(target: FlagsTarget, plan: FlagsPlan): Promise<string> {
  try {
    await applyPlan(target, plan)
    return 'applied'
  } catch (error) {
    if (!(error instanceof FlagsConflict)) throw error
    return error.message // names what another call has changed, or what needs approval
  }
}
