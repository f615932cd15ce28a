import assert from 'node:assert/strict'
import { test } from 'node:test'
import { button, type Desk } from '../desk.ts'

const content = 'facilities:\n  - {id_external: file-01, name: From a file, areas: [{id: "1", name: One}]}\n'

export function estateFileJobs(desk: () => Desk): void {
  test('an estate file is previewed, applied and downloaded', async () => {
    const made = async () => (await desk().ask('GET /cms/v1/facilities/file-01')).body
    const page = await desk().visit('/settings?tab=estate')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose a file').click()])
    await chooser.setFiles({ name: 'estate.yaml', mimeType: 'application/yaml', buffer: Buffer.from(content) })
    await page.getByRole('row', { name: 'new facility file-01', exact: true }).waitFor()
    assert.equal((await made()).code, 'facility_not_found')
    await button(page, 'Apply 2 changes').click()
    await page.getByText('Imported').waitFor()
    assert.equal((await made()).areas_count, 1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as YAML' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'estate.yaml')
  })
}
