import { useParams } from '@tanstack/react-router'
import { segment } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { Facility } from '../../api/types.ts'
import { Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'

export function FacilityPage() {
  const { facilityId } = useParams({ from: '/signed-in/facilities/$facilityId' })
  const { data, error } = useRead<Facility>(`/facilities/${segment(facilityId)}`)
  return <Page title={data?.data.name ?? facilityId}>{error && <ProblemNote error={error} />}</Page>
}
