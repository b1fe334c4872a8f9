// #region short
import { createClient } from '@halyard/client'

const { api } = createClient({ baseUrl: 'https://flags.example.test', token: process.env.HALYARD_TOKEN ?? '' })
const team = await api.getTeam({ teamKey: 'growth', expand: 'members' })
// #endregion

console.log(team.name)
