import { handler } from '../../../../halyard'

// Without this, Next would run GET requests during the build.
export const dynamic = 'force-dynamic'

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST, handler as PUT }
