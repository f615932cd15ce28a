import { askingIn } from '../requests.ts'
import { loadWorks, splitWorks, type Way } from '../work.ts'
import { measureWork, type Side } from './back-to-back.ts'

/** Measures the works on the same server with requests read by Node's parser or sent in two segments. */
export async function measureWays({ context, subject }: Side, way: Way): Promise<void> {
  const side = { context, subject: { ...subject, way, asking: askingIn(way, subject.asking) } }
  for (const work of way === 'split' ? splitWorks : loadWorks) {
    context.say(`${work} ${way}`)
    await measureWork(side, work)
  }
}
