import { buildComputeSnapshot, type ComputeSnapshot } from '#libs/cluster-model';
import { OperatorError, type WhatIfLoss } from '#libs/domain';
import { type ClusterWhatIfRequest, type ClusterWhatIfResponse, isRefusal } from '#libs/messaging';
import { computeWhatIf, runInTurns, type WhatIfQuestion } from '#libs/what-if';
import { readRecordedWorld, type WorldFile } from '#libs/world-file';
import { chooseFlavor } from '../../cluster/choose-flavor.ts';
import { whatIfBody } from '../../cluster/what-if-body.ts';
import { flavorDetails, listingsOf } from '../audit/world-listings.ts';

/** A question, as in the body of `POST /v1/what_if`. */
export interface WorldWhatIfRequest {
  question: ClusterWhatIfRequest['question'];
  kind?: WhatIfLoss;
  names?: string[];
  count?: number | null;
  like?: string;
  flavor?: string;
  zone?: string | null;
  project_id?: string | null;
  boot_from_volume?: boolean;
  ratios?: { cpu?: number; memory?: number; disk?: number };
  moves?: { instance: string; host: string }[];
}

/**
 * Computes a what-if question on a recording or another world file, in this process, without a cloud or a server.
 * Instances are on their hosts of the end of the recording.
 * @param file path, or the name of a bundled world
 * @param nowMs time of a world that is no recording, in milliseconds since 1970
 * @throws WorldFileError with one line that names the error in the file
 * @throws InvalidInputError for an unknown name, and OperatorError for an unknown flavor, with the nearest known one
 */
export async function computeWorldWhatIf(
  file: string,
  request: WorldWhatIfRequest,
  { nowMs, signal = new AbortController().signal }: { nowMs: number; signal?: AbortSignal },
): Promise<ClusterWhatIfResponse> {
  const { world } = await readRecordedWorld(file);
  const snapshot = buildComputeSnapshot({ ...listingsOf(world), takenAtMs: endOf(world) ?? nowMs });
  const result = await runInTurns(computeWhatIf(snapshot, questionOf(request, world, snapshot)), signal);
  return whatIfBody(request, snapshot, result);
}

function endOf({ recording }: WorldFile): number | null {
  return recording === undefined ? null : Date.parse(recording.start) + 1000 * recording.step_seconds * recording.steps;
}

function questionOf(request: WorldWhatIfRequest, world: WorldFile, snapshot: ComputeSnapshot): WhatIfQuestion {
  const { question, kind = 'host', names = [], count = null, like = '', ratios = {}, moves = [] } = request;
  switch (question) {
    case 'lose':
      return { question, kind, names };
    case 'remove':
      return { question, names };
    case 'add':
      return { question, count: count ?? 0, like };
    case 'ratio':
      return { question, ratios, names };
    case 'move':
      return { question, moves };
    case 'place': {
      const { flavor: wanted = '', zone = null, project_id: project, boot_from_volume: isFromVolume = false } = request;
      const flavor = chooseFlavor(
        { question, flavor: wanted, count, zone, project_id: project ?? '', boot_from_volume: isFromVolume },
        { snapshot, listed: world.flavors.map(flavorDetails) },
      );
      if (isRefusal(flavor)) throw new OperatorError(flavor.error.message);
      return { question, flavor, count };
    }
  }
}
