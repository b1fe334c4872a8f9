import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()

// #region page
import { createConsole } from '@halyard/console'

export default createConsole(engine)
// #endregion
