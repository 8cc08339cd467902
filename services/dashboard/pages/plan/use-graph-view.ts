import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Visible part of the drawing, in the drawing's pixels. */
export interface ShownPart {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** View of a drawing. */
export interface GraphView {
  /** Pixels of the page by pixel of the drawing. */
  scale: number;
  shown: ShownPart;
  /** Zooms around the middle of the visible part. */
  zoom: (factor: number) => void;
  /** Fits the whole drawing. */
  fit: () => void;
  /** Scrolls a position to the middle. */
  goTo: (x: number, y: number) => void;
}

const smallest = 0.05;
const largest = 2;

/** Zoom and position of a drawing in a scrolling box. Ctrl and the wheel zoom too. `usual` is the initial scale. */
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
    const read = () =>
      setShown({
        x: element.scrollLeft / scale,
        y: element.scrollTop / scale,
        width: element.clientWidth / scale,
        height: element.clientHeight / scale,
      });
    read();
    const resizing = new ResizeObserver(read);
    resizing.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      resizing.disconnect();
      element.removeEventListener('scroll', read);
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
      // The drawing has its new size only after the next render.
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
