import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Part of the drawing that is shown, in its own pixels. */
export interface ShownPart {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How a drawing is checked. */
export interface GraphView {
  /** Pixels of the page by pixel of the drawing. */
  scale: number;
  shown: ShownPart;
  /** Makes it larger or smaller around the middle of what is shown. */
  zoom: (factor: number) => void;
  /** Shows everything at once. */
  fit: () => void;
  /** Brings a place of the drawing to the middle. */
  goTo: (x: number, y: number) => void;
}

const smallest = 0.05;
const largest = 2;

/**
 * Zoom and place of a drawing in a box that scrolls; Ctrl and the wheel zoom too. `usual` is the scale to start with.
 */
export function useGraphView(
  box: RefObject<HTMLElement | null>,
  drawing: { width: number; height: number },
  usual: number,
): GraphView {
  const [chosen, setChosen] = useState<number | null>(null);
  const scale = chosen ?? usual;
  const [shown, setShown] = useState<ShownPart>({ x: 0, y: 0, width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () =>
      setShown({
        x: element.scrollLeft / scale,
        y: element.scrollTop / scale,
        width: element.clientWidth / scale,
        height: element.clientHeight / scale,
      });
    look();
    const resizing = new ResizeObserver(look);
    resizing.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resizing.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box, scale, drawing.width, drawing.height]);
  const goTo = useCallback(
    (x: number, y: number, at = scale) => {
      const element = box.current;
      element?.scrollTo(x * at - element.clientWidth / 2, y * at - element.clientHeight / 2);
    },
    [box, scale],
  );
  const zoom = useCallback(
    (factor: number) => {
      const next = Math.min(largest, Math.max(smallest, scale * factor));
      const middle = { x: shown.x + shown.width / 2, y: shown.y + shown.height / 2 };
      setChosen(next);
      // The drawing has its new size after the next drawing only.
      requestAnimationFrame(() => goTo(middle.x, middle.y, next));
    },
    [scale, shown, goTo],
  );
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [box, zoom]);
  const fit = () => {
    const element = box.current;
    if (!element || drawing.width === 0) return;
    setChosen(
      Math.max(smallest, Math.min(1, element.clientWidth / drawing.width, element.clientHeight / drawing.height)),
    );
  };
  return { scale, shown, zoom, fit, goTo };
}
