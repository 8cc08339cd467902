import type { JsonObject } from '#libs/domain';
import {
  type ConsolidationParameters,
  consolidationProperties,
  type SearchParameters,
  searchProperties,
} from '../search-based/parameters.ts';

/** Parameters of `placement_optimizer`. */
export type PlacementOptimizerParameters = SearchParameters &
  ConsolidationParameters & {
    /** Aim when no rule is broken and no host is at risk, default `balance`. */
    preset: 'balance' | 'consolidate' | 'defragment' | 'licences' | 'repair_only';
    /** Whether packing and spreading are the aim, instead of the preset. Default false. */
    both_aims: boolean;
    /** Names of the flavors for which `defragment` frees places. Empty: the largest in use. */
    flavors: string[];
    /** Instances that `licences` consolidates: `property=pattern` of image, flavor or metadata. */
    licensed: string[];
  };

/** JSON Schema (draft 4) of the parameters. */
export const placementOptimizerParameters: JsonObject = {
  type: 'object',
  'x-merges': true,
  properties: {
    both_aims: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Konsolidieren und verteilen' } },
      description: 'Combines packing and spreading in one search, with any preset.',
      type: 'boolean',
      default: false,
    },
    preset: {
      'x-texts': { de: { title: 'Vorgabe' } },
      'x-aims': { balance: 'spread', consolidate: 'pack' },
      description:
        'The aim: balance spreads CPU load and memory, consolidate frees hosts, defragment makes room for large ' +
        'flavors, licences gathers licensed images on few hosts, repair_only repairs broken rules and relieves hot ' +
        'hosts.',
      type: 'string',
      enum: ['balance', 'consolidate', 'defragment', 'licences', 'repair_only'],
      default: 'balance',
    },
    ...searchProperties,
    ...consolidationProperties,
    flavors: {
      'x-texts': { de: { title: 'Flavors' } },
      description: 'Flavors for which defragment makes room, by name. Default: the largest flavor of any instance.',
      type: 'array',
      items: { type: 'string', minLength: 1 },
      maxItems: 8,
      uniqueItems: true,
      default: [],
    },
    licensed: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Lizenzpflichtige Instanzen' } },
      description:
        'Licensed instances for the preset licences: property=pattern, with * for any characters. A property of the ' +
        'image counts, one of the flavor (trait:NAME=required), or metadata of the instance. One matching condition ' +
        'is sufficient.',
      type: 'array',
      items: { type: 'string', pattern: '^[^=]+=.+$' },
      minItems: 1,
      default: ['os_type=windows', 'os_distro=windows*'],
    },
  },
};
